package dev.counterpoint.engine.simulated;

import dev.counterpoint.engine.simulated.JsonPosition.Level;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes JSON whose schema only the mask knows: values that the prompt has for the members' names, and anything that
/// fits where it has none. At each place it proposes a text that the mask takes as a whole; where it proposes none,
/// any token will do.
///
/// Without dice all that the prompt leaves open is plain and short; with dice it is thrown for, and the deeper a value
/// lies the less likely is more, so recursion ends.
final class MaskedJson {
    /// Below this depth nothing is opened that need not be.
    private static final int DEPTH_MAX = 5;

    private static final int ELEMENTS_MAX = 8;
    private static final int TRIES = 8;
    private static final List<String> BLANKS = List.of("", " ", "\n", "\n  ");
    private static final Set<String> RESULTS =
            PromptWords.stems("answer result solution output value response reply summary explanation sum total");
    private static final List<String> SAMPLES = List.of(
            "unknown",
            "unknown@example.com",
            "20##-0%-1#",
            "20##-0%-1#T1#:0#:0#Z",
            "1#:0#:0#Z",
            "P1#D",
            "https://example.com/#",
            "host#.example.com",
            "192.0.2.#",
            "2001:db8::#",
            "########-0000-4000-8000-############");

    private final JsonPosition position = new JsonPosition();
    private final JsonSource source;

    /// What the values are taken from.
    ///
    /// @param values of the prompt
    /// @param essence of the answer, for members that want a result
    record JsonSource(PromptValues values, String essence) {}

    MaskedJson(JsonSource source) {
        this.source = source;
    }

    JsonPosition position() {
        return position;
    }

    /// A text to go on with, all of which the mask takes; null where any token will do.
    @Nullable
    String next(Lookahead ahead, @Nullable SplittableRandom dice) {
        if (position.inString()) {
            return position.text().isEmpty() ? inString(ahead, dice) : null;
        }
        return switch (position.expects()) {
            case KEY -> member(ahead, dice);
            case COLON -> first(ahead, List.of(":"));
            case VALUE -> value(ahead, dice);
            case SEPARATOR -> separator(ahead, dice);
        };
    }

    private static @Nullable String first(Lookahead ahead, List<String> texts) {
        for (var blank : BLANKS) {
            for (var text : texts) {
                if (ahead.takes(blank + text)) {
                    return blank + text;
                }
            }
        }
        return null;
    }

    private @Nullable String inString(Lookahead ahead, @Nullable SplittableRandom dice) {
        if (position.expects() == JsonPosition.Expects.KEY) {
            return name(ahead, "", false, dice);
        }
        var known = knownString(ahead, "");
        return known == null ? someString(ahead, "", dice) : known;
    }

    private @Nullable String member(Lookahead ahead, @Nullable SplittableRandom dice) {
        for (var blank : BLANKS) {
            boolean ends = ahead.takes(blank + "}");
            var name = ahead.takes(blank + "\"") ? name(ahead, blank + "\"", ends, dice) : null;
            if (name != null || ends) {
                return name == null ? blank + "}" : name;
            }
        }
        return null;
    }

    /// The name of the next member, with its quotation mark; null where none need come.
    private @Nullable String name(Lookahead ahead, String opening, boolean ends, @Nullable SplittableRandom dice) {
        var names = ahead.closed(opening);
        if (names.isEmpty()) {
            // Any name will do: an object without a form.
            var answer = opening + "answer\"";
            boolean first = position.levels().size() == 1
                    && position.levels().getFirst().firstKey.isEmpty();
            return (first || !ends) && ahead.takes(answer) ? answer : ends || opening.isEmpty() ? null : opening;
        }
        var scope = scope();
        var known = names.stream().filter(scope::knows).findFirst().orElse(null);
        boolean more = dice != null && position.levels().size() < DEPTH_MAX && dice.nextInt(5) == 0;
        if (known == null && ends && !more) {
            return null;
        }
        var other = names.get(dice == null ? 0 : dice.nextInt(names.size()));
        return opening + (known == null ? other : known) + "\"";
    }

    private @Nullable String separator(Lookahead ahead, @Nullable SplittableRandom dice) {
        if (position.levels().isEmpty()) {
            return first(ahead, List.of(String.valueOf(HarmonyMarkup.RETURN), String.valueOf(HarmonyMarkup.CALL)));
        }
        var level = position.levels().getLast();
        if (!level.object) {
            boolean more = level.wanted < 0 ? throwForMore(dice) : level.index + 1 < level.wanted;
            return first(ahead, more ? List.of(",", "]") : List.of("]", ","));
        }
        var end = first(ahead, List.of("}"));
        var comma = first(ahead, List.of(","));
        if (end == null || comma == null) {
            return end == null ? comma : end;
        }
        var scope = scope();
        boolean known = ahead.closed(comma + "\"").stream().anyMatch(scope::knows);
        return known || throwForMore(dice) && dice != null && dice.nextInt(2) == 0 ? comma : end;
    }

    private boolean throwForMore(@Nullable SplittableRandom dice) {
        return dice != null && dice.nextInt(10) < DEPTH_MAX - position.levels().size();
    }

    private @Nullable String value(Lookahead ahead, @Nullable SplittableRandom dice) {
        for (var blank : BLANKS) {
            if (position.inArray()
                    && position.levels().getLast().index == 0
                    && position.levels().getLast().wanted < 0) {
                var level = position.levels().getLast();
                int elements = elements(ahead, blank);
                level.wanted = elements > 0 ? elements : dice == null ? 0 : -1;
                if (elements == 0 && ahead.takes(blank + "]") && !throwForMore(dice)) {
                    return blank + "]";
                }
            }
            var value = known(ahead, blank);
            if (value == null) {
                value = some(ahead, blank, dice);
            }
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    /// What the prompt has for this place.
    private @Nullable String known(Lookahead ahead, String blank) {
        var opening = blank + "\"";
        var string = ahead.takes(opening) ? knownString(ahead, opening) : null;
        if (string != null) {
            return string;
        }
        for (var number : numbers()) {
            var digits = blank + plain(number);
            if (ahead.takesNumber(digits)) {
                scope().use(number);
                return digits;
            }
        }
        var truth = scope().truth(position.key());
        if (truth != null && ahead.takes(blank + truth)) {
            return blank + truth;
        }
        if (ahead.takes(blank + "[") && elements(ahead, blank + "[") > 0) {
            return blank + "[";
        }
        var scope = scope();
        boolean object = ahead.takes(blank + "{")
                && (!ahead.takes(blank + "null")
                        || ahead.closed(blank + "{\"").stream().anyMatch(scope::knows));
        return object ? blank + "{" : null;
    }

    /// Anything that fits; `null` before all others.
    private @Nullable String some(Lookahead ahead, String blank, @Nullable SplittableRandom dice) {
        boolean deep = position.levels().size() >= DEPTH_MAX;
        if (ahead.takes(blank + "null") && (dice == null || deep || dice.nextInt(3) > 0)) {
            return blank + "null";
        }
        var choices = new ArrayList<String>();
        if (ahead.takes(blank + "\"")) {
            var string = someString(ahead, blank + "\"", dice);
            choices.add(string == null ? blank + "\"" : string);
        }
        var number = someNumber(ahead, blank, dice);
        if (number != null) {
            choices.add(number);
        }
        Stream.of("false", "true")
                .map(truth -> blank + truth)
                .filter(ahead::takes)
                .forEach(choices::add);
        if (choices.isEmpty() || !deep) {
            Stream.of("[", "{").map(open -> blank + open).filter(ahead::takes).forEach(choices::add);
        }
        return choices.isEmpty() ? null : choices.get(dice == null ? 0 : dice.nextInt(choices.size()));
    }

    private static @Nullable String someNumber(Lookahead ahead, String blank, @Nullable SplittableRandom dice) {
        for (int i = 0; i < TRIES; i++) {
            var digits = dice == null ? String.valueOf(i) : String.valueOf(dice.nextInt(1 << (2 * i + 2)) - i);
            if (ahead.takesNumber(blank + digits)) {
                return blank + digits;
            }
        }
        return null;
    }

    /// How many elements the prompt has for an array whose first one would come behind this text.
    private int elements(Lookahead ahead, String opening) {
        var scope = scope();
        var key = position.key();
        int elements = 0;
        if (ahead.takes(opening + "\"")) {
            var choices = ahead.closed(opening + "\"");
            elements = choices.isEmpty()
                    ? scope.list(key).size()
                    : scope.mentioned(unescaped(choices)).size();
        }
        if (elements == 0 && ahead.takes(opening + "{")) {
            var names = ahead.closed(opening + "{\"");
            elements = scope.parts(key, names).size();
        }
        return Math.min(
                ELEMENTS_MAX,
                elements == 0 && ahead.takes(opening + "1") ? scope.numbers().size() : elements);
    }

    private List<BigDecimal> numbers() {
        var scope = scope();
        var numbers = scope.numbers();
        if (position.inArray()) {
            int index = position.levels().getLast().index;
            return index < numbers.size() ? List.of(numbers.get(index)) : List.of();
        }
        var key = position.key();
        var found = new ArrayList<BigDecimal>();
        var beside = scope.number(key);
        if (beside != null) {
            found.add(beside);
        }
        var result = isResult(key) ? PromptWords.number(source.essence()) : null;
        if (result != null) {
            found.add(result);
        }
        found.addAll(scope.unused());
        return found;
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0
                ? number.toBigInteger().toString()
                : number.toPlainString();
    }

    private static boolean isResult(String name) {
        return PromptWords.stems(PromptWords.ofIdentifier(name)).stream().anyMatch(RESULTS::contains);
    }

    private @Nullable String knownString(Lookahead ahead, String opening) {
        var choices = ahead.closed(opening);
        for (var text : choices.isEmpty() || !position.inArray() ? texts() : List.<String>of()) {
            var quoted = opening + PromptWords.toJson(text).substring(1);
            if (ahead.takes(quoted)) {
                scope().use(text);
                return quoted;
            }
        }
        var scope = scope();
        var named = scope.mentioned(unescaped(choices));
        if (!named.isEmpty()) {
            var choice = position.inArray()
                    ? named.get(Math.min(position.levels().getLast().index, named.size() - 1))
                    : scope.nearest(position.key(), named);
            return opening + PromptWords.toJson(choice).substring(1);
        }
        return choices.isEmpty() && !ahead.isFreeAfter(opening)
                ? scope.pieces().stream()
                        .map(piece -> opening + PromptWords.toJson(piece).substring(1))
                        .filter(ahead::takes)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static List<String> unescaped(List<String> choices) {
        return choices.stream()
                .map(choice -> {
                    var text = PromptWords.json("\"" + choice + "\"");
                    return text == null ? choice : text.asText();
                })
                .toList();
    }

    /// The texts that the prompt has for the string at this place, best first.
    private List<String> texts() {
        var scope = scope();
        var key = position.key();
        if (position.inArray()) {
            var list = scope.list(key);
            int index = position.levels().getLast().index;
            return index < list.size() ? List.of(list.get(index)) : List.of();
        }
        var text = scope.text(key, "");
        return text == null && isResult(key)
                ? List.of(source.essence(), PromptWords.begin(source.essence(), 8))
                : text == null ? List.of() : List.of(text, PromptWords.begin(text, 3));
    }

    private static @Nullable String someString(Lookahead ahead, String opening, @Nullable SplittableRandom dice) {
        boolean free = ahead.isFreeAfter(opening);
        if (dice != null && free) {
            return opening.isEmpty() ? null : opening;
        }
        for (var sample : SAMPLES) {
            var text = opening + filled(sample, dice) + "\"";
            if (ahead.takes(text)) {
                return text;
            }
        }
        var choices = ahead.closed(opening);
        return choices.isEmpty() ? null : opening + choices.get(dice == null ? 0 : dice.nextInt(choices.size())) + "\"";
    }

    /// The sample with a digit for each `#`, and one that is not 0 for each `%`.
    private static String filled(String sample, @Nullable SplittableRandom dice) {
        var text = new StringBuilder(sample.length());
        for (char each : sample.toCharArray()) {
            int digit = dice == null ? 1 : dice.nextInt(1, 10);
            text.append(each == '#' || each == '%' ? (char) ('0' + digit) : each);
        }
        return text.toString();
    }

    /// The part of the prompt that this place is about: elements of arrays have parts of their own.
    private PromptValues scope() {
        var scope = source.values();
        List<Level> levels = position.levels();
        var key = "";
        for (int i = 0; i + 1 < levels.size(); i++) {
            var level = levels.get(i);
            key = level.object ? level.key : key;
            if (!level.object && !levels.get(i + 1).firstKey.isEmpty()) {
                var parts = scope.parts(key, List.of(levels.get(i + 1).firstKey));
                scope = parts.isEmpty() ? scope : parts.get(Math.min(level.index, parts.size() - 1));
            }
        }
        return scope;
    }
}
