package dev.counterpoint.openai.responses;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tokens that a response took; `outputTokens` include those of the reasoning.
public record Usage(
        long inputTokens,
        InputDetails inputTokensDetails,
        long outputTokens,
        OutputDetails outputTokensDetails,
        long totalTokens) {

    /// Input tokens: tokens read from the prompt cache and tokens written to it.
    ///
    /// @param cacheWriteTokensDetails written tokens by their minimum time in the cache, as in `ttl_30m_tokens`
    public record InputDetails(
            long cachedTokens,
            long cacheWriteTokens,
            @Nullable Map<String, Long> cacheWriteTokensDetails) {
        public InputDetails {
            cacheWriteTokensDetails = cacheWriteTokensDetails == null ? null : Map.copyOf(cacheWriteTokensDetails);
        }
    }

    /// Of the output: what the model spent on reasoning.
    public record OutputDetails(long reasoningTokens) {}

    /// @param cached input tokens that the prompt cache held
    /// @param reasoning output tokens that were reasoning
    public static Usage of(long input, long cached, long output, long reasoning) {
        return new Usage(
                input, new InputDetails(cached, 0, null), output, new OutputDetails(reasoning), input + output);
    }
}
