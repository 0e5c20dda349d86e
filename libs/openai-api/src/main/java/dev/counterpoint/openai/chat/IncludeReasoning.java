package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;

/// The older wish for reasoning: yes or no, or a mode by name.
public sealed interface IncludeReasoning {
    record Flag(@JsonValue boolean include) implements IncludeReasoning {}

    /// `none`, `summary` or `full`; another word is for the reader to refuse.
    record Mode(@JsonValue String mode) implements IncludeReasoning {}
}
