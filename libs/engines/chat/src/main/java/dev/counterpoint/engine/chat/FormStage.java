package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;

/// Finds the JSON that was asked for in an answer: words before and after it, and a block of code around
/// it, are not the answer. A text without any is left as it is: the check of its schema decides.
final class FormStage implements Stage {
    private static final int PREFACE_CHARACTERS_MAX = 1 << 12;

    private final StringBuilder held = new StringBuilder();
    private final JsonObjectEnd end = new JsonObjectEnd();
    private boolean begun;
    private boolean formless;

    @Override
    public void accept(String text, Consumer<TextPiece> out) {
        if (formless) {
            out.accept(new TextPiece(Kind.ANSWER, text));
            return;
        }
        held.append(text);
        if (!begun) {
            int object = held.indexOf("{");
            if (object >= 0) {
                begun = true;
                aside(Kind.REASONING, held.substring(0, object), out);
                held.delete(0, object);
            } else if (held.length() > PREFACE_CHARACTERS_MAX) {
                formless = true;
                release(held.length(), out);
            }
        }
        if (begun && !end.ended()) {
            release(end.read(held.toString()), out);
        }
    }

    @Override
    public void finish(boolean whole, Consumer<TextPiece> out) {
        if (begun && end.ended()) {
            aside(Kind.UNTOLD, held.toString(), out);
        } else {
            release(held.length(), out);
        }
    }

    private void release(int length, Consumer<TextPiece> out) {
        if (length > 0) {
            out.accept(new TextPiece(Kind.ANSWER, held.substring(0, length)));
            held.delete(0, length);
        }
    }

    private static void aside(Kind kind, String text, Consumer<TextPiece> out) {
        if (!text.replaceFirst("```\\w*", "").replace("`", "").isBlank()) {
            out.accept(new TextPiece(kind, text));
        }
    }
}
