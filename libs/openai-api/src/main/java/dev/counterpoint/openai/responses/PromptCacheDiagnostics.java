package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// Whether a response could reuse the prompt of the one that its request compares it with, and if not, why.
///
/// @param type `cache_hit`, `cache_miss`, `comparison_response_not_found` or `unavailable`
/// @param reason of a miss, such as `tools_changed`
/// @param cacheMissedTokens of a miss: about how many tokens follow the first difference
/// @param comparisonReusableTokens of a miss: how many tokens both prompts begin with
public record PromptCacheDiagnostics(
        String type,
        @Nullable String reason,
        @Nullable Long cacheMissedTokens,
        @Nullable Long comparisonReusableTokens) {
    public static final PromptCacheDiagnostics HIT = new PromptCacheDiagnostics("cache_hit", null, null, null);
    public static final PromptCacheDiagnostics NOT_FOUND =
            new PromptCacheDiagnostics("comparison_response_not_found", null, null, null);
    /// The prompts cannot be compared, or their difference does not explain what happened.
    public static final PromptCacheDiagnostics UNAVAILABLE =
            new PromptCacheDiagnostics("unavailable", null, null, null);

    public static PromptCacheDiagnostics miss(String reason, long missed, long reusable) {
        return new PromptCacheDiagnostics("cache_miss", reason, missed, reusable);
    }
}
