package dev.counterpoint.structured;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Names the differences between our masks and llguidance's. For each, a whole text is written that starts with
/// what one of both refuses, and a validator judges its value; when both take the same value in a plainer spelling,
/// the difference is one of spelling.
final class MaskDifferences {
    private static final int SHOWN = 20;
    private static final int DRAWN = 2;
    private static final int LENGTH_SHOWN = 300;

    private final LlGuidance llguidance;
    private final Map<String, Integer> classes = new TreeMap<>();
    private final Map<String, String> examples = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private int masks;
    private int equal;

    MaskDifferences(LlGuidance llguidance) {
        this.llguidance = llguidance;
    }

    /// The place that is compared.
    ///
    /// @param tokens that led there
    record Place(SchemaCase schema, SchemaValidator validator, Constraint constraint, int[] tokens) {}

    List<String> wrong() {
        return wrong;
    }

    /// Counts by class, and an example of each.
    String summary() {
        var lines = new ArrayList<String>();
        lines.add(masks + " masks compared, " + equal + " the same; tokens drawn from the differences, by class:");
        classes.forEach((name, count) -> lines.add("  " + count + " " + name + ", as in " + examples.get(name)));
        return String.join("\n", lines);
    }

    void compare(Place place, Matcher ours, SchemaDice dice) throws IOException {
        var theirs = llguidance.mask(place.tokens());
        if (theirs.isEmpty()) {
            count("they refuse the prefix itself", place, "");
            return;
        }
        var mine = new TokenBits(ModelTokens.SIZE);
        ours.mask(mine);
        masks++;
        var onlyOurs = difference(mine, theirs.get());
        var onlyTheirs = difference(theirs.get(), mine);
        if (onlyOurs.isEmpty() && onlyTheirs.isEmpty()) {
            equal++;
        }
        for (int token : dice.draw(onlyOurs, DRAWN)) {
            judgeOurs(place, token, dice);
        }
        for (int token : dice.draw(onlyTheirs, DRAWN)) {
            judgeTheirs(place, token, dice);
        }
    }

    private static List<Integer> difference(TokenBits some, TokenBits others) {
        var tokens = new ArrayList<Integer>();
        for (int token = 0; token < some.size(); token++) {
            if (some.contains(token) && !others.contains(token)) {
                tokens.add(token);
            }
        }
        return tokens;
    }

    private static int[] plus(int[] tokens, int token) {
        var more = Arrays.copyOf(tokens, tokens.length + 1);
        more[tokens.length] = token;
        return more;
    }

    private void judgeOurs(Place place, int token, SchemaDice dice) throws IOException {
        var start = plus(place.tokens(), token);
        var whole = new MaskWalk(place.constraint(), dice).complete(start);
        if (whole.isEmpty()) {
            count("ours, without an end found", place, ModelTokens.decode(start));
            return;
        }
        var text = ModelTokens.decode(whole.get());
        if (!valid(place, text)) {
            add(
                    place,
                    "we allow " + whole(text) + " through token ‹" + ModelTokens.decode(token) + "›, which is invalid: "
                            + complaints(place, text));
            return;
        }
        var spelling = spelling(place, text, tokens -> llguidance.accepts(tokens));
        count(spelling.map(one -> "spelled as they never do: " + one).orElse("valid, and they refuse it"), place, text);
    }

    private void judgeTheirs(Place place, int token, SchemaDice dice) throws IOException {
        var start = plus(place.tokens(), token);
        var whole = llguidance.complete(start, dice.below(1 << 20));
        if (whole.isEmpty()) {
            count("theirs, without an end found", place, ModelTokens.decode(start));
            return;
        }
        var text = ModelTokens.decode(whole.get());
        if (!valid(place, text)) {
            count("invalid, and they allow it", place, text);
            return;
        }
        var spelling = spelling(place, text, tokens -> accepts(place.constraint(), tokens));
        if (spelling.isPresent()) {
            count("spelled as we never do: " + spelling.get(), place, text);
        } else if (fitsWithoutFormats(place, text)) {
            count("of a format that validators read differently, and we narrowly", place, text);
        } else {
            add(place, "we refuse " + whole(text) + " at token ‹" + ModelTokens.decode(token) + "›, which is valid");
        }
    }

    private static boolean valid(Place place, String text) {
        try {
            return place.validator().accepts(text);
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static boolean fitsWithoutFormats(Place place, String text) throws IOException {
        var schema = place.schema().schema().deepCopy();
        for (var parent : schema.findParents("format")) {
            // A property of that name is an object.
            if (parent instanceof ObjectNode object && parent.path("format").isTextual()) {
                object.remove("format");
            }
        }
        var constraint = new SchemaPlay(ModelTokens.index(), SchemaOptions.STRICT).compile(schema);
        var plain = Respelling.FEW_DIGITS.of(text, schema);
        return accepts(constraint, ModelTokens.encode(plain));
    }

    private static List<String> complaints(Place place, String text) {
        return place.validator().complaints(SchemaCase.parsed(text));
    }

    private static boolean accepts(Constraint constraint, int[] tokens) {
        var matcher = constraint.start();
        return Arrays.stream(tokens).allMatch(matcher::accept) && matcher.accepting();
    }

    private interface Judge {
        boolean accepts(int[] tokens) throws IOException;
    }

    private static Optional<Respelling> spelling(Place place, String text, Judge judge) throws IOException {
        for (var respelling : Respelling.values()) {
            if (judge.accepts(
                    ModelTokens.encode(respelling.of(text, place.schema().schema())))) {
                return Optional.of(respelling);
            }
        }
        return Optional.empty();
    }

    private void count(String name, Place place, String text) {
        classes.merge(name, 1, Integer::sum);
        examples.putIfAbsent(name, place.schema().id() + " " + shortened(text));
    }

    private void add(Place place, String difference) {
        if (wrong.size() < SHOWN) {
            JsonNode schema = place.schema().schema();
            wrong.add(place.schema().id() + ": " + difference + "\n  " + shortened(schema.toString()));
        }
    }

    /// To be looked into, so all of it.
    private static String whole(String text) {
        return text.replaceAll("\\s{3,}", " ");
    }

    private static String shortened(String text) {
        var line = text.replace("\n", "⏎").replace("\t", "⇥").replace("\r", "␍");
        return line.length() > LENGTH_SHOWN ? line.substring(0, LENGTH_SHOWN) + "…" : line;
    }
}
