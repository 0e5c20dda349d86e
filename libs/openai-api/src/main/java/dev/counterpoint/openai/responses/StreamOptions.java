package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// How a stream is sent; obfuscation pads deltas against observers who only see their lengths.
public record StreamOptions(@Nullable Boolean includeObfuscation) {}
