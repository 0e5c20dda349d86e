package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/// What of the reasoning the caller wants: a mode by name, or OpenRouter's object.
public sealed interface ReasoningRequest {
    /// `none`, `summary` or `full`; another word is for the reader to refuse.
    record Mode(@JsonValue String mode) implements ReasoningRequest {}

    /// @param effort `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`
    /// @param maxTokens bounds the reasoning, in tokens
    /// @param exclude reason, but do not show it
    /// @param enabled false turns reasoning off
    /// @param summary `auto`, `concise` or `detailed`
    record Options(
            @Nullable String effort,
            @Nullable Integer maxTokens,
            @Nullable Boolean exclude,
            @Nullable Boolean enabled,
            @Nullable String summary)
            implements ReasoningRequest {}
}
