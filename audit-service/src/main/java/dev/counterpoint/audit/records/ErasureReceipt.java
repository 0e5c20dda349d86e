package dev.counterpoint.audit.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.log.Event;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The proof that a subject was erased: by whom, for which reason, and with which keys. Its values come from events of
/// the log. Only the request names the subject.
///
/// @param actor who erased
/// @param requestedBy who asked for it, where that is another person; null where one person erases alone
/// @param wholeTenant whether everybody of the tenant was erased; then `keys` is empty
/// @param keys ids of the destroyed keys
/// @param records how many records can no longer be read
/// @param purgedAt the time when the table of keys was rewritten on disk, or null while that is due
/// @param completeAt the time when the log of frames holds nothing from before [#at] any more
/// @param imported whether the receipt is older than the log
/// @param gateway what gateways deleted
/// @param status `pending` until [#completeAt] has passed, the keys are purged, the log of erasures holds it and
///     gateways have answered; then `complete`, or `nothing_was_there` when it destroyed no key
public record ErasureReceipt(
        String id,
        Instant at,
        String actor,
        @Nullable String requestedBy,
        String caseId,
        String reason,
        String tenant,
        boolean wholeTenant,
        List<String> keys,
        int keysDestroyed,
        long records,
        @Nullable Instant purgedAt,
        Instant completeAt,
        boolean imported,
        GatewayAnswer gateway,
        String status) {
    /// @param logged whether the log of erasures holds it
    static ErasureReceipt of(Event.Verified erasure, @Nullable Instant purged, boolean logged, GatewayAnswer gateway) {
        var body = erasure.body();
        var keys = body.path("keys").valueStream().map(JsonNode::asText).toList();
        var at = time(body.path("at"));
        int destroyed = body.path("keys_destroyed").asInt(keys.size());
        var purgedAt = destroyed == 0 ? at : purged;
        var completeAt = time(body.path("complete_at"));
        boolean pending = !logged || gateway.pending() || purgedAt == null || completeAt.isAfter(Instant.now());
        return new ErasureReceipt(
                body.path("request").asText(),
                at,
                body.path("actor").asText(),
                body.path("requested_by").asText(null),
                body.path("case_id").asText(),
                body.path("reason").asText(),
                body.path("tenant").asText(),
                body.path(LoggedErasure.WHOLE_TENANT).asBoolean(),
                keys,
                destroyed,
                body.path("records").asLong(),
                purgedAt,
                completeAt,
                body.path("imported").asBoolean(),
                gateway,
                pending ? "pending" : destroyed == 0 ? "nothing_was_there" : "complete");
    }

    static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }
}
