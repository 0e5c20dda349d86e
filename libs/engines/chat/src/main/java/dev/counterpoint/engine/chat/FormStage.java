package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.Stage;
import dev.counterpoint.engine.chat.split.TextPiece;
import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;

/// Finds the JSON that was asked for in an answer: words before and after it, and a block of code around
/// it, are not the answer. A text without any is left as it is: the check of its schema decides.
final class FormStage implements Stage {
    private static final int PREFACE_CHARACTERS_MAX = 1 << 12;

    private final Consumer<? super TextPiece> out;
    private final StringBuilder held = new StringBuilder();
    private final JsonObjectEnd end = new JsonObjectEnd();
    private boolean begun;
    private boolean formless;

    FormStage(Consumer<? super TextPiece> out) {
        this.out = out;
    }

    @Override
    public void accept(String text) {
        held.append(text);
        if (!begun && !formless) {
            int object = held.indexOf("{");
            if (object >= 0) {
                begun = true;
                aside(Kind.REASONING, held.substring(0, object));
                held.delete(0, object);
            } else if (held.length() > PREFACE_CHARACTERS_MAX) {
                formless = true;
            }
        }
        if (formless) {
            release(held.length());
        } else if (begun && !end.ended()) {
            release(end.read(held.toString()));
        }
    }

    @Override
    public void finish(boolean whole) {
        if (begun && end.ended()) {
            aside(Kind.UNTOLD, held.toString());
        } else {
            release(held.length());
        }
    }

    private void release(int length) {
        TextPiece.give(Kind.ANSWER, held.substring(0, length), out);
        held.delete(0, length);
    }

    private void aside(Kind kind, String text) {
        if (!text.replaceFirst("```\\w*", "").replace("`", "").isBlank()) {
            out.accept(new TextPiece(kind, text));
        }
    }
}
