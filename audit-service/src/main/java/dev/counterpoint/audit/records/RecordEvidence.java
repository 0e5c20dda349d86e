package dev.counterpoint.audit.records;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.audit.log.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the log says of a record besides the record.
///
/// @param state `confirmed` by the closing of its response; `pending` while that may come, then `unconfirmed`;
///     `disputed` when it says something else; `older` than closings
/// @param flags what marks the response for review, such as `corrected`
/// @param shown what staff sees of the closing
record RecordEvidence(String state, List<String> flags, Event.@Nullable Verified closing, JsonNode shown) {
    static final RecordEvidence NONE = new RecordEvidence("older", List.of(), null, NullNode.getInstance());
    private static final String CONFIRMED = "confirmed";

    /// @param about the closing of the response and what marks it
    /// @param due the time since which records need a closing; null when there is none yet
    /// @param patience the time after which no closing can come any more
    static RecordEvidence of(RecordRow row, List<Event.Verified> about, @Nullable Instant due, Duration patience) {
        var flags = about.stream().map(event -> event.body().path("action").asText());
        var closing = about.stream()
                .filter(event -> event.id().equals("response_closed_" + row.response))
                .findFirst()
                .orElse(null);
        JsonNode shown = NullNode.getInstance();
        if (closing != null) {
            shown = ((ObjectNode) closing.body().deepCopy())
                    .retain("ended_at", "ended_by", "consent", "verdict", "raw_shown");
        }
        return new RecordEvidence(
                state(row, closing, due, Instant.now().minus(patience)),
                flags.filter(action -> !action.equals("response_closed")).toList(),
                closing,
                shown);
    }

    /// By the time of storing, because a forger has the other clocks.
    static String state(RecordRow row, Event.@Nullable Verified closing, @Nullable Instant due, Instant gone) {
        if (closing != null) {
            return agrees(closing, row) ? CONFIRMED : "disputed";
        }
        if (due == null || row.storedAt.isBefore(due)) {
            return NONE.state;
        }
        return row.storedAt.isAfter(gone) ? "pending" : "unconfirmed";
    }

    private static boolean agrees(Event.Verified closing, RecordRow row) {
        var body = closing.body();
        var token = closing.personal().path("subject_token");
        var known = row.subjectToken;
        return body.path("tenant").asText().equals(row.tenant)
                && body.path("actor").asText().equals(row.key)
                && body.path("model").asText().equals(row.model)
                && body.path("consent").asText().equals(row.optIn)
                && (token.isMissingNode()
                        || known == null // the person is erased
                        || token.asText().equals(HexFormat.of().formatHex(known)));
    }

    boolean confirmed() {
        return state.equals(CONFIRMED);
    }
}
