package dev.counterpoint.engine.chat.split;

import java.util.function.Consumer;

/// A piece of the model's output, classified as reasoning, answer or another kind.
public record TextPiece(Kind kind, String text) implements ModelPart {
    /// The kind says which message the text belongs to.
    public enum Kind {
        REASONING,
        ANSWER,
        /// Further members of an envelope: visible, a message of its own.
        MORE,
        /// Text that cannot be told from reasoning: it is not shown as an answer. May be empty: then it
        /// says that something is amiss with the reasoning before it.
        UNTOLD,
        /// Reasons that the model gave after its answer.
        AFTERWARDS,
        /// Reasoning that the server began to tell when some of the answer had been shown already.
        LATE
    }

    /// Gives a piece of this text to a sink, unless it is empty.
    public static void give(Kind kind, String text, Consumer<? super TextPiece> out) {
        if (!text.isEmpty()) {
            out.accept(new TextPiece(kind, text));
        }
    }

    /// It may be reasoning.
    @Override
    public String toString() {
        return "TextPiece[" + kind + ", " + text.length() + " characters]";
    }
}
