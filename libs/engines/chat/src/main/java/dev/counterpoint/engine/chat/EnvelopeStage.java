package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Opens an envelope, `{"reasoning": …, "answer": …}`, where the text is one; any other text goes on to the
/// next stage. An envelope that was asked for may begin with any member, and behind a few words of preface;
/// one that was not, and one behind a preface, has to have `reasoning`, or it is what the client wanted.
final class EnvelopeStage implements Stage {
    static final String ANSWER = "answer";
    static final String REASONING = "reasoning";

    private static final Pattern BEGINNING = Pattern.compile("\\s*(?:`{1,3}|```\\w{0,12}\\s*)?");
    /// The bound of a preface, and of what is read of an object that nobody asked for to find out what
    /// it is.
    private static final int ASIDE_CHARACTERS_MAX = 400;

    private static final int UNASKED_CHARACTERS_MAX = 1 << 12;
    private static final int ASKED_CHARACTERS_MAX = 1 << 16;

    private static final Pattern OWN_MEMBER =
            Pattern.compile("\"(?:" + REASONING + "|" + ANSWER + ")\"\\s*:", Pattern.CASE_INSENSITIVE);

    private final EnvelopeTerms terms;
    private final Stage otherwise;
    private final StringBuilder held = new StringBuilder();
    private final Names names = new Names();
    private final JsonMembers look = new JsonMembers(names);
    /// Where the object begins in what is held; less than 0 as long as there is none.
    private int object = -1;

    private @Nullable Stage chosen;

    /// @param otherwise takes what is no envelope
    EnvelopeStage(EnvelopeTerms terms, Stage otherwise) {
        this.terms = terms;
        this.otherwise = otherwise;
    }

    /// True if a schema may have a member that an envelope has, at any depth.
    static boolean hasMembers(String schema) {
        return OWN_MEMBER.matcher(schema).find();
    }

    @Override
    public void accept(String text, Consumer<TextPiece> out) {
        if (chosen != null) {
            chosen.accept(text, out);
            return;
        }
        held.append(text);
        if (object >= 0) {
            look.accept(text);
        } else {
            object = held.indexOf("{");
            if (object >= 0) {
                look.accept(held.substring(object));
            }
        }
        choose(false, out);
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> out) {
        if (chosen == null) {
            if (object >= 0) {
                look.finish();
            }
            choose(true, out);
        }
        if (chosen != null) {
            chosen.finish(whole, out);
        }
    }

    private void choose(boolean last, Consumer<TextPiece> out) {
        int beginning = object < 0 ? held.length() : object;
        if (!mayBegin(held.substring(0, beginning))) {
            go(otherwise, 0, out);
        } else if (object < 0) {
            if (last) {
                go(otherwise, 0, out);
            }
        } else if (names.envelope) {
            aside(held.substring(0, object), out);
            go(new JsonEnvelope(terms), object, out);
        } else if (last || look.ended() || look.broken() || held.length() - object > charactersMax()) {
            go(otherwise, 0, out);
        }
    }

    private boolean mayBegin(String before) {
        return BEGINNING.matcher(before).matches()
                || terms.preface() && before.length() <= ASIDE_CHARACTERS_MAX && !before.isBlank();
    }

    private int charactersMax() {
        return terms.asked() ? ASKED_CHARACTERS_MAX : UNASKED_CHARACTERS_MAX;
    }

    /// What stands before an envelope is not the answer.
    private static void aside(String preface, Consumer<TextPiece> out) {
        if (!BEGINNING.matcher(preface).matches()) {
            out.accept(new TextPiece(Kind.REASONING, preface));
        }
    }

    private void go(Stage stage, int from, Consumer<TextPiece> out) {
        chosen = stage;
        var text = held.substring(from);
        held.setLength(0);
        stage.accept(text, out);
    }

    /// Finds out by its members whether the object is an envelope.
    private final class Names implements JsonMembers.Listener {
        private boolean envelope;

        @Override
        public void begun(String member, boolean string) {
            boolean first = BEGINNING.matcher(held.substring(0, object)).matches();
            envelope |= member.equalsIgnoreCase(REASONING) || terms.asked() && first && member.equalsIgnoreCase(ANSWER);
        }

        @Override
        public void value(String text) {
            // Names decide.
        }

        @Override
        public void ended() {
            // Names decide.
        }
    }
}
