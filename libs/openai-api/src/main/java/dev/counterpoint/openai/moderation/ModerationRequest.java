package dev.counterpoint.openai.moderation;

import org.jspecify.annotations.Nullable;

/// Has the input and the output of a request moderated by `model`.
public record ModerationRequest(String model, @Nullable Policy policy) {
    /// What to do with either side; null scores it.
    public record Policy(@Nullable Step input, @Nullable Step output) {}

    /// `mode` is `score` or `block`.
    public record Step(String mode) {}
}
