package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.sse.SseEvent;
import java.util.List;
import java.util.Set;

/// What tests want to know of a recorded stream.
final class Streams {
    private static final Set<String> TERMINAL =
            Set.of("response.completed", "response.failed", "response.incomplete", "error");

    private Streams() {}

    /// The JSON of each event, without `[DONE]`.
    static List<JsonNode> bodies(List<SseEvent> events) {
        return events.stream()
                .filter(event -> !event.data().equals("[DONE]"))
                .map(event -> ApiClient.tree(event.data()))
                .toList();
    }

    static List<String> types(List<SseEvent> events) {
        return bodies(events).stream().map(event -> event.path("type").asText()).toList();
    }

    static List<String> terminals(List<SseEvent> events) {
        return types(events).stream().filter(TERMINAL::contains).toList();
    }

    /// All text of the deltas of one type.
    static String text(List<SseEvent> events, String type) {
        var text = new StringBuilder();
        bodies(events).stream()
                .filter(event -> event.path("type").asText().equals(type))
                .forEach(event -> text.append(event.path("delta").asText()));
        return text.toString();
    }

    /// The text of one member of the deltas of a chat stream.
    static String chatText(List<SseEvent> events, String member) {
        var text = new StringBuilder();
        bodies(events)
                .forEach(chunk -> chunk.path("choices")
                        .forEach(choice ->
                                text.append(choice.path("delta").path(member).asText(""))));
        return text.toString();
    }
}
