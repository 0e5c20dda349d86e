package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// How the answer's text is to be; `verbosity` is `low`, `medium` or `high`.
public record TextOptions(
        @Nullable TextFormat format, @Nullable String verbosity) {}
