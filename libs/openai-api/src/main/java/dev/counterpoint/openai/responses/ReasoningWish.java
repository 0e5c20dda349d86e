package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;

/// How a request wants the model to reason, and what of it to see: the contract's object, or, as our
/// extension, a mode by name.
public sealed interface ReasoningWish permits ReasoningWish.Mode, ReasoningOptions {
    /// `none`, `summary` or `full`; another word is for the reader to refuse.
    record Mode(@JsonValue String mode) implements ReasoningWish {}

    /// The wish as the contract's object has it.
    default ReasoningOptions options() {
        return switch (this) {
            case Mode(String mode) ->
                new ReasoningOptions(null, mode.equals("summary") ? "auto" : null, null, null, null);
            case ReasoningOptions options -> options;
        };
    }
}
