package dev.counterpoint.openai;

import org.jspecify.annotations.Nullable;

/// How a request wants its prompt cached.
///
/// @param ttl how long at least: `30m` or `12h`
/// @param mode `implicit`, or `explicit` for breakpoints that the caller sets
/// @param comparisonResponseId a response whose prompt this one is compared with
/// @param prewarm whether the prompt is cached and nothing generated
public record PromptCacheWish(
        @Nullable String ttl,
        @Nullable String mode,
        @Nullable String comparisonResponseId,
        @Nullable Boolean prewarm) {}
