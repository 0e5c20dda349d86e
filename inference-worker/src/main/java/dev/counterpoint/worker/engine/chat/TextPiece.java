package dev.counterpoint.worker.engine.chat;

/// A piece of what the model said, told apart.
record TextPiece(Kind kind, String text) {
    /// What it is.
    enum Kind {
        REASONING,
        ANSWER,
        /// What an envelope holds besides: visible, a message of its own.
        MORE,
        /// What cannot be told from reasoning: not shown as an answer. May be empty: then it says that
        /// something is amiss with the reasoning before it.
        UNTOLD,
        /// Reasons that the model gave after its answer.
        AFTERWARDS
    }

    /// It may be reasoning.
    @Override
    public String toString() {
        return "TextPiece[" + kind + ", " + text.length() + " characters]";
    }
}
