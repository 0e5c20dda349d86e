package dev.counterpoint.engine.chat;

import dev.counterpoint.engine.chat.split.TextPiece;
import java.util.function.Consumer;

/// A step in telling a text apart: it takes the text in pieces, however it is cut, and gives what is
/// certain. Not thread-safe.
interface Stage {
    void accept(String text, Consumer<TextPiece> out);

    /// The text is over.
    ///
    /// @param whole whether the model ended it by itself
    void finish(boolean whole, Consumer<TextPiece> out);

    /// All that comes is the answer.
    static Stage answer() {
        return new Stage() {
            @Override
            public void accept(String text, Consumer<TextPiece> out) {
                if (!text.isEmpty()) {
                    out.accept(new TextPiece(TextPiece.Kind.ANSWER, text));
                }
            }

            @Override
            public void finish(boolean whole, Consumer<TextPiece> out) {
                // Nothing is held.
            }
        };
    }
}
