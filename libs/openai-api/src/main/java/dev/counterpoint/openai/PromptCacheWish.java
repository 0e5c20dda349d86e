package dev.counterpoint.openai;

import org.jspecify.annotations.Nullable;

/// How a request wants its prompt cached.
///
/// @param ttl how long at least, as in `30m`
/// @param mode `implicit`, or `explicit` for breakpoints that the caller sets
public record PromptCacheWish(
        @Nullable String ttl, @Nullable String mode) {}
