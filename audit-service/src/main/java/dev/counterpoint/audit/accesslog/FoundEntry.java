package dev.counterpoint.audit.accesslog;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.log.Event;
import java.time.Instant;
import java.util.List;

/// One entry of a search in the access log, as auditors see it.
///
/// @param seq its index in the audit log
/// @param members null if the entry has none; an altered entry has only its id
public record FoundEntry(long seq, @JsonValue ObjectNode members) {
    private static final List<String> ALWAYS =
            List.of("tenant", "response", "subject_token", "case_id", "reason", "detail");

    static FoundEntry of(Event event) {
        var members = JsonNodeFactory.instance.objectNode().put("id", event.id());
        if (event instanceof Event.Verified verified) {
            ALWAYS.forEach(members::putNull);
            members.setAll((ObjectNode) verified.body());
            members.setAll((ObjectNode) verified.personal());
            members.remove(List.of("personal", "sealed", "literals", "pattern"));
            members.put(
                    "at",
                    Instant.ofEpochMilli(verified.body().path("at").asLong()).toString());
        } else {
            members.put("altered", true);
        }
        return new FoundEntry(event.index(), members);
    }
}
