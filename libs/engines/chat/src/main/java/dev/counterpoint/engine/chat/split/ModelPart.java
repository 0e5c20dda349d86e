package dev.counterpoint.engine.chat.split;

/// A part of what a model said: a piece of text, or of a call.
public sealed interface ModelPart permits TextPiece, ModelPart.CallBegun, ModelPart.CallArguments {
    /// A call begins; its arguments follow. It is over where anything else follows.
    ///
    /// @param recipient as the model wrote it, such as `functions.get_weather`
    record CallBegun(String recipient) implements ModelPart {}

    record CallArguments(String text) implements ModelPart {
        /// They are the caller's own.
        @Override
        public String toString() {
            return "CallArguments[" + text.length() + " characters]";
        }
    }
}
