package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.chat.split.ReasoningSplitter;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Opens an envelope, `{"reasoning": …, "answer": …}`, where the text is one; passes any other text to the next stage.
/// An envelope that was asked for needs one of the two members; one that was not, and one behind a preface, needs
/// `reasoning`. Text that begins with an object is held until the object ends; text after an envelope, and an
/// envelope that is no JSON, is withheld.
final class EnvelopeStage implements Stage {
    static final String ANSWER = "answer";
    static final String REASONING = "reasoning";

    private static final ObjectMapper JSON = new ObjectMapper(JsonObjectEnd.JSON)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION.mappedFeature())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
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
    private final JsonObjectEnd end = new JsonObjectEnd();
    private final StringBuilder held = new StringBuilder();
    private State state = State.LOOKING;
    /// Where the object begins in the held text, and up to where it was read; less than 0 as long as there is none.
    private int object = -1;

    private int read;

    /// @param wholeForm whether a text that is one JSON object is the answer, whatever `otherwise` makes of it
    EnvelopeStage(EnvelopeTerms terms, boolean wholeForm, Stage otherwise) {
        this.terms = terms;
        this.wholeForm = wholeForm;
        this.otherwise = otherwise;
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
    public void accept(String text, Consumer<TextPiece> out) {
        switch (state) {
            case OTHER -> otherwise.accept(text, out);
            case LOST -> say(Kind.UNTOLD, text, out);
            case LOOKING, WHOLE, OPENED -> {
                held.append(text);
                if (held.length() > ReasoningSplitter.HELD_CHARACTERS_MAX) {
                    state = State.LOST;
                    say(Kind.UNTOLD, take(), out);
                } else if (state == State.LOOKING) {
                    look(out);
                }
            }
        }
    }

    private void look(Consumer<TextPiece> out) {
        if (object < 0) {
            object = held.indexOf("{");
            read = object;
        }
        if (!mayBegin(held.substring(0, object < 0 ? held.length() : object))) {
            pass(out);
        } else if (object >= 0) {
            read += end.read(held.substring(read));
            if (end.ended()) {
                open(out);
            }
        }
    }

    private boolean mayBegin(String before) {
        return BEGINNING.matcher(before).matches()
                || terms.preface() && before.length() <= PREFACE_CHARACTERS_MAX && !before.isBlank();
    }

    private void open(Consumer<TextPiece> out) {
        var preface = held.substring(0, object);
        boolean first = BEGINNING.matcher(preface).matches();
        var tree = parse(held.substring(object, read));
        if (tree == null) {
            return; // held to the end, and judged there
        }
        boolean envelope = has(tree, REASONING) || terms.asked() && first && has(tree, ANSWER);
        if (envelope && !terms.own()) {
            say(Kind.REASONING, first ? "" : preface, out);
            held.delete(0, read);
            state = State.OPENED;
            new JsonEnvelope(tree, terms).open(out);
        } else if (wholeForm && first) {
            state = State.WHOLE;
        } else {
            pass(out);
        }
    }

    private static boolean has(ObjectNode tree, String member) {
        return tree.properties().stream().anyMatch(each -> each.getKey().equalsIgnoreCase(member));
    }

    /// @return null where a member occurs twice, so that its value is in doubt
    private static @Nullable ObjectNode parse(String object) {
        try {
            JsonNode tree = JSON.readTree(object);
            return tree instanceof ObjectNode node ? node : null;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> out) {
        switch (state) {
            case LOST -> {}
            case OTHER -> otherwise.finish(whole, out);
            case OPENED -> {
                if (!NOTHING.matcher(held).matches()) {
                    say(Kind.UNTOLD, take(), out);
                }
            }
            case WHOLE -> {
                if (NOTHING.matcher(held.substring(read)).matches()) {
                    say(Kind.ANSWER, held.substring(object, read), out);
                } else {
                    pass(out);
                    otherwise.finish(whole, out);
                }
            }
            case LOOKING -> {
                boolean broken = object >= 0 && !terms.own() && hasMembers(held.toString());
                if (broken) {
                    say(Kind.UNTOLD, take(), out);
                } else {
                    pass(out);
                    otherwise.finish(whole, out);
                }
            }
        }
    }

    private void pass(Consumer<TextPiece> out) {
        state = State.OTHER;
        otherwise.accept(take(), out);
    }

    private String take() {
        var text = held.toString();
        held.setLength(0);
        return text;
    }

    private static void say(Kind kind, String text, Consumer<TextPiece> out) {
        if (!text.isEmpty()) {
            out.accept(new TextPiece(kind, text));
        }
    }
}
