package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.function.Consumer;

/// A step in separating the parts of a text that comes in pieces, wherever it is cut. What is certain is passed at once
/// to the next stage or to the sink of the output. Not thread-safe.
public interface Stage {
    void accept(String text);

    /// The text is over.
    ///
    /// @param whole whether the model ended it by itself, and no limit did
    default void finish(boolean whole) {
        // Not every stage holds something.
    }

    /// All that comes is the answer.
    static Stage answer(Consumer<? super TextPiece> out) {
        return text -> TextPiece.give(Kind.ANSWER, text, out);
    }
}
