package dev.counterpoint.openai.chat;

import org.jspecify.annotations.Nullable;

/// How a stream is sent; with usage, a last chunk without choices carries it.
public record ChatStreamOptions(
        @Nullable Boolean includeUsage, @Nullable Boolean includeObfuscation) {}
