package dev.counterpoint.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The history of a response as lines for people.
record StoryText(JsonNode story) {
    private static final String ACCEPTED = "accepted_at_ms";

    List<String> lines() {
        var lines = new ArrayList<String>();
        lines.add("%s: %s, %s (from: %s)".formatted(text("id"), text("status"), text("model"), text("source")));
        lines.add("asked by   tenant %s, key %s".formatted(text("tenant"), text("key")));
        if (story.hasNonNull(ACCEPTED)) {
            lines.add("accepted   %s by %s, queue %s"
                    .formatted(time(story.path(ACCEPTED)), text("gateway"), text("band")));
        }
        for (var attempt : story.path("attempts")) {
            lines.add("attempt %-3d%s%s%s%s%s"
                    .formatted(
                            attempt.path("number").asInt(),
                            attempt.hasNonNull("worker")
                                    ? attempt.path("worker").asText()
                                    : "no worker",
                            since(", took it", attempt.path("fenced_at_ms")),
                            since(", reasoning", attempt.path("first_reasoning_at_ms")),
                            since(", answer", attempt.path("first_text_at_ms")),
                            since(", " + attempt.path("outcome").asText(), attempt.path("closed_at_ms"))));
        }
        lines.add("ended      " + text("ending") + since("", story.path("ended_at_ms")));
        for (var group : List.of("tokens", "summary")) {
            if (story.path(group).isObject()) {
                lines.add("%-11s%s"
                        .formatted(
                                group,
                                story.path(group)
                                        .toString()
                                        .replaceAll("[{}\"]", "")
                                        .replace(",", ", ")));
            }
        }
        if (story.has("audited")) {
            lines.add("audited    %s, raw reasoning for the caller: %s"
                    .formatted(text("audited"), text("raw_reasoning")));
            lines.add("irregular  tickets sent again %s, fences lost %s, void frames %s"
                    .formatted(text("tickets_resent"), text("losing_fences"), text("void_frames")));
        }
        story.path("warnings").forEach(warning -> lines.add("warning    " + warning.asText()));
        var replay = story.path("replay");
        lines.add("replay     "
                + (replay.path("possible").asBoolean()
                        ? "until " + Instant.ofEpochSecond(replay.path("until").asLong())
                        : "no: " + replay.path("why_not").asText()));
        return lines;
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }

    /// Milliseconds after the acceptance.
    private String since(String what, JsonNode millis) {
        boolean known = millis.isNumber() && story.hasNonNull(ACCEPTED);
        return known ? what + " +" + (millis.asLong() - story.path(ACCEPTED).asLong()) + " ms" : "";
    }

    private String text(String member) {
        return story.hasNonNull(member) ? story.path(member).asText() : "-";
    }
}
