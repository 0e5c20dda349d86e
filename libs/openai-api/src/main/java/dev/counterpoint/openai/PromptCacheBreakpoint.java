package dev.counterpoint.openai;

import dev.counterpoint.openai.json.Others;

/// Marks a part of the prompt behind which the cached prefix may end; `mode` is `explicit`.
public record PromptCacheBreakpoint(String mode, Others others) {}
