package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.family.FamilyTable;
import dev.counterpoint.engine.chat.family.TextRule;
import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.Stage;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Opens an envelope, `{"reasoning": …, "answer": …}`, where the text is one; passes any other text to the next stage.
/// An envelope that was asked for needs one of the two members; one that was not, and one behind a preface, needs
/// `reasoning`. Text that begins with an object is held until the object ends; text after an envelope, and an
/// envelope that is no JSON, is withheld.
final class EnvelopeStage implements Stage {
    private static final String ANSWER = "answer";
    private static final String REASONING = "reasoning";

    private static final ObjectMapper JSON = new ObjectMapper(JsonObjectEnd.JSON)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    /// An answer in an envelope is the answer, but for marked reasoning in it.
    private static final TextRule PLAIN = new TextRule(
            TextRule.Unmarked.ANSWER, FamilyTable.shared().everyMarks(), List.of(), false, "in an envelope");
    /// `\f` and `\b` in JSON are a form feed and a backspace; a model that writes them meant `\frac` and `\begin`.
    private static final String UNMEANT = "\f\b";

    private static final Pattern BEGINNING = Pattern.compile("[\\s\uFEFF]*(?:`{1,3}|```\\w{0,12}\\s*)?");
    private static final Pattern NOTHING = Pattern.compile("[\\s`]*");
    private static final int PREFACE_CHARACTERS_MAX = 400;
    private static final Pattern OWN_MEMBER =
            Pattern.compile("\"(?:" + REASONING + "|" + ANSWER + ")\"\\s*:", Pattern.CASE_INSENSITIVE);

    private enum State {
        LOOKING,
        /// The object is whole; the answer, if nothing follows.
        WHOLE,
        OPENED,
        OTHER,
        /// Too much was held.
        LOST
    }

    private final EnvelopeTerms terms;
    private final boolean wholeForm;
    private final Stage otherwise;
    private final Consumer<? super TextPiece> out;
    private final JsonObjectEnd end = new JsonObjectEnd();
    private final StringBuilder held = new StringBuilder();
    private State state = State.LOOKING;
    /// Where the object begins in the held text, and up to where it was read; less than 0 as long as there is none.
    private int object = -1;

    private int read;

    /// @param wholeForm whether a text that is one JSON object is the answer, whatever `otherwise` makes of it
    EnvelopeStage(EnvelopeTerms terms, boolean wholeForm, Stage otherwise, Consumer<? super TextPiece> out) {
        this.terms = terms;
        this.wholeForm = wholeForm;
        this.otherwise = otherwise;
        this.out = out;
    }

    /// The values of the members of an object, one a line; a text that is no object is left as it is.
    static String values(String object) {
        var members = parse(object);
        return members == null
                ? object.strip()
                : members.valueStream().map(EnvelopeStage::text).collect(Collectors.joining("\n"));
    }

    /// True if a schema may have a member that an envelope has, at any depth.
    static boolean hasMembers(String schema) {
        return OWN_MEMBER.matcher(schema).find();
    }

    /// True if the text was an envelope, so that all further text is withheld.
    boolean isOpened() {
        return state == State.OPENED;
    }

    @Override
    public void accept(String text) {
        switch (state) {
            case OTHER -> otherwise.accept(text);
            case LOST -> TextPiece.give(Kind.UNTOLD, text, out);
            case LOOKING, WHOLE, OPENED -> {
                held.append(text);
                if (held.length() > ReasoningSplitter.HELD_CHARACTERS_MAX) {
                    state = State.LOST;
                    TextPiece.give(Kind.UNTOLD, take(), out);
                } else if (state == State.LOOKING) {
                    look();
                }
            }
        }
    }

    private void look() {
        if (object < 0) {
            object = held.indexOf("{");
            read = object;
        }
        if (!mayBegin(held.substring(0, object < 0 ? held.length() : object))) {
            pass();
        } else if (object >= 0) {
            read += end.read(held.substring(read));
            if (end.ended()) {
                open();
            }
        }
    }

    private boolean mayBegin(String before) {
        return BEGINNING.matcher(before).matches()
                || terms.preface() && before.length() <= PREFACE_CHARACTERS_MAX && !before.isBlank();
    }

    private void open() {
        var preface = held.substring(0, object);
        boolean first = BEGINNING.matcher(preface).matches();
        var tree = parse(held.substring(object, read));
        if (tree == null) {
            return; // held to the end, and judged there
        }
        boolean envelope = has(tree, REASONING) || terms.asked() && first && has(tree, ANSWER);
        if (envelope && !terms.own()) {
            TextPiece.give(Kind.REASONING, first ? "" : preface, out);
            held.delete(0, read);
            state = State.OPENED;
            tell(tree);
        } else if (wholeForm && first) {
            state = State.WHOLE;
        } else {
            pass();
        }
    }

    private static boolean has(ObjectNode tree, String member) {
        return tree.properties().stream().anyMatch(each -> each.getKey().equalsIgnoreCase(member));
    }

    /// @return null where it is no object, or a member occurs twice, so that its value is in doubt
    private static @Nullable ObjectNode parse(String object) {
        try {
            return JSON.readTree(object) instanceof ObjectNode node ? node : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    @Override
    public void finish(boolean whole) {
        switch (state) {
            case LOST -> {}
            case OTHER -> otherwise.finish(whole);
            case OPENED -> {
                if (!NOTHING.matcher(held).matches()) {
                    TextPiece.give(Kind.UNTOLD, take(), out);
                }
            }
            case LOOKING, WHOLE -> {
                boolean looking = state == State.LOOKING;
                if (!looking && NOTHING.matcher(held.substring(read)).matches()) {
                    TextPiece.give(Kind.ANSWER, held.substring(object, read), out);
                } else if (looking && object >= 0 && !terms.own() && hasMembers(held.toString())) {
                    TextPiece.give(Kind.UNTOLD, take(), out);
                } else {
                    pass();
                    otherwise.finish(whole);
                }
            }
        }
    }

    private void pass() {
        state = State.OTHER;
        otherwise.accept(take());
    }

    private String take() {
        var text = held.toString();
        held.setLength(0);
        return text;
    }

    /// Numbers and truth values beside the answer are shown with it ([Kind#MORE]); any other member may be reasoning
    /// under another name. Where the answer has a form and no envelope was asked for, the answer is the object
    /// without its reasoning.
    private void tell(ObjectNode envelope) {
        if (terms.formed() && !terms.asked()) {
            removeReasoning(envelope);
            TextPiece.give(Kind.ANSWER, envelope.toString(), out);
            return;
        }
        var shown = JsonNodeFactory.instance.objectNode();
        var other = JsonNodeFactory.instance.objectNode();
        JsonNode answer = null;
        boolean reasoned = false;
        for (var member : envelope.properties()) {
            var value = member.getValue();
            if (member.getKey().equalsIgnoreCase(REASONING)) {
                reasoned = true;
                TextPiece.give(Kind.REASONING, text(value), out);
            } else if (answer == null && member.getKey().equalsIgnoreCase(ANSWER)) {
                answer = value;
            } else {
                (value.isNumber() || value.isBoolean() ? shown : other).set(member.getKey(), value);
            }
        }
        boolean answered = answer(answer);
        if (!other.isEmpty()) {
            TextPiece.give(reasoned && answered ? Kind.REASONING : Kind.UNTOLD, other.toString(), out);
        }
        if (!shown.isEmpty()) {
            TextPiece.give(answered && !terms.formed() ? Kind.MORE : Kind.REASONING, shown.toString(), out);
        }
    }

    private boolean answer(@Nullable JsonNode answer) {
        if (answer == null || answer.isNull()) {
            return false;
        }
        var text = text(answer);
        if (UNMEANT.chars().anyMatch(c -> text.indexOf(c) >= 0)) {
            TextPiece.give(Kind.UNTOLD, text, out);
            return true;
        }
        // No request asked for an envelope within another.
        var within = new EnvelopeStage(terms.with(false, false), false, Stage.answer(out), out);
        var stage = terms.formed() ? within : new ReasoningSplitter(PLAIN, within, out);
        stage.accept(text);
        stage.finish(true);
        return true;
    }

    private void removeReasoning(JsonNode from) {
        if (from instanceof ObjectNode object) {
            for (var name : List.copyOf(object.properties())) {
                if (name.getKey().equalsIgnoreCase(REASONING)) {
                    TextPiece.give(Kind.REASONING, text(object.remove(name.getKey())), out);
                }
            }
        }
        from.forEach(this::removeReasoning);
    }

    /// The text of a value, or its JSON.
    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : value.toString();
    }
}
