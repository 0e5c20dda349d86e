package dev.counterpoint.openai;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// Marks a part of the prompt behind which the cached prefix may end; `mode` is `explicit`; `ttl` as in
/// [PromptCacheWish].
public record PromptCacheBreakpoint(String mode, @Nullable String ttl, Others others) {}
