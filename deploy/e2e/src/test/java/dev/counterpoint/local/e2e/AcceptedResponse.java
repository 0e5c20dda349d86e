package dev.counterpoint.local.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/// A response that the gateway accepted, as its caller saw it.
///
/// @param endings types of the terminal events that came
/// @param broken whether the stream ended without one
/// @param summaryUnavailable whether it said so
record AcceptedResponse(
        String id, boolean optedIn, List<String> endings, boolean broken, boolean summaryUnavailable, Duration took) {

    static AcceptedResponse of(List<JsonNode> events, boolean optedIn, boolean whole, Duration took) {
        var endings = events.stream()
                .map(event -> event.path("type").asText())
                .filter(type -> type.matches("response\\.(completed|failed|incomplete|cancelled)|error"))
                .toList();
        var last = events.getLast().path("response");
        return new AcceptedResponse(
                events.getFirst().path("response").path("id").asText(),
                optedIn,
                endings,
                !whole || endings.isEmpty(),
                last.path("reasoning_unavailable").asBoolean(false),
                took);
    }

    /// As the audit service names it.
    String bareId() {
        return id.substring(id.indexOf('_') + 1);
    }
}
