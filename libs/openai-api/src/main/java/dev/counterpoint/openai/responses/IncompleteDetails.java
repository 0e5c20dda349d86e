package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// Why a response is incomplete: `max_output_tokens`, `max_messages`, `content_filter`, `steered`, or a newer word.
public record IncompleteDetails(@Nullable String reason) {
    /// The answer reached the limit of tokens.
    public static final IncompleteDetails MAX_OUTPUT_TOKENS = new IncompleteDetails("max_output_tokens");
    /// The user steered the response.
    public static final IncompleteDetails STEERED = new IncompleteDetails("steered");
    /// The answer was withheld.
    public static final IncompleteDetails CONTENT_FILTER = new IncompleteDetails("content_filter");
}
