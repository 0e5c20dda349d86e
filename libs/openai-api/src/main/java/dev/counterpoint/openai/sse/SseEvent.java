package dev.counterpoint.openai.sse;

import org.jspecify.annotations.Nullable;

/// One block of an SSE stream, closed by its empty line.
///
/// @param event the `event:` field, null when absent (Chat Completions has none)
/// @param id the `id:` field, null when absent
/// @param data the `data:` lines joined by newlines, empty when there are none (a keep-alive)
/// @param comment the text of comment lines joined by newlines, null when there are none
public record SseEvent(
        @Nullable String event,
        @Nullable String id,
        String data,
        @Nullable String comment) {}
