package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// When a background response is to be done.
///
/// @param completionWindow `soonest`, `2h` or `8h`
/// @param continuationId names related responses
public record BackgroundOptions(
        @Nullable String completionWindow, @Nullable String continuationId) {}
