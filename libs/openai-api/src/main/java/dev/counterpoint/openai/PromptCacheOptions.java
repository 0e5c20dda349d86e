package dev.counterpoint.openai;

import org.jspecify.annotations.Nullable;

/// How the prompt of a response was cached, as a [PromptCacheWish] with nothing left open.
public record PromptCacheOptions(
        String ttl, String mode, @Nullable String comparisonResponseId) {}
