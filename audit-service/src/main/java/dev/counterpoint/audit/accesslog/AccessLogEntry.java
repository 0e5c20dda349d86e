package dev.counterpoint.audit.accesslog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.log.Event;
import dev.counterpoint.audit.store.RowTime;
import dev.counterpoint.bus.audit.AccessEntry;
import java.time.Instant;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One entry of the access log, as auditors see it.
///
/// @param seq its index in the audit log
/// @param source `audit` for staff, `gateway` for callers that saw raw reasoning
/// @param imported whether it is older than the log, which vouches for it only since it took it over
public record AccessLogEntry(
        @JsonIgnore long seq,
        String id,
        Instant at,
        String actor,
        String source,
        String action,
        String outcome,
        @Nullable String tenant,
        @Nullable String response,
        @Nullable String subjectToken,
        @Nullable String caseId,
        @Nullable String reason,
        int records,
        @Nullable String detail,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean imported)
        implements FoundEntry {
    private static final String SUBJECT_TOKEN = "subject_token";

    static AccessLogEntry of(StaffAccess access) {
        return new AccessLogEntry(
                0,
                UUID.randomUUID().toString(),
                RowTime.now(),
                access.actor(),
                "audit",
                access.action().wireName(),
                access.outcome().wireName(),
                access.tenant(),
                access.response(),
                hex(access.subjectToken()),
                access.caseId(),
                access.reason(),
                access.records(),
                access.detail(),
                false);
    }

    static AccessLogEntry of(AccessEntry shown) {
        var action = switch (shown.action()) {
            case RAW_REASONING_SHOWN -> StaffAccess.Action.RAW_REASONING_SHOWN;
            case UNKNOWN -> StaffAccess.Action.UNKNOWN;
        };
        return new AccessLogEntry(
                0,
                shown.id(),
                Instant.ofEpochMilli(shown.atMillis()),
                shown.actor(),
                "gateway",
                action.wireName(),
                StaffAccess.Outcome.GRANTED.wireName(),
                shown.tenant(),
                shown.response(),
                null,
                null,
                null,
                1,
                null,
                false);
    }

    /// An entry of before the log.
    static AccessLogEntry of(AccessRow row) {
        return new AccessLogEntry(
                0,
                row.id,
                row.at,
                row.actor,
                row.source,
                row.action,
                row.outcome,
                row.tenant,
                row.response,
                hex(row.subjectToken),
                row.caseId,
                row.reason,
                row.records,
                row.detail,
                true);
    }

    static AccessLogEntry of(Event.Verified event) {
        var body = event.body();
        return new AccessLogEntry(
                event.index(),
                event.id(),
                Instant.ofEpochMilli(body.path("at").asLong()),
                body.path("actor").asText(),
                body.path("source").asText(),
                body.path("action").asText(),
                body.path("outcome").asText(),
                text(body, "tenant"),
                text(body, "response"),
                text(event.personal(), SUBJECT_TOKEN),
                text(body, "case_id"),
                text(body, "reason"),
                body.path("records").asInt(),
                text(body, "detail"),
                body.path("imported").asBoolean());
    }

    private static @Nullable String hex(byte @Nullable [] token) {
        return token == null ? null : HexFormat.of().formatHex(token);
    }

    private static @Nullable String text(JsonNode members, String name) {
        return members.has(name) ? members.get(name).asText() : null;
    }

    /// What the log commits to.
    SortedMap<String, Object> members() {
        var members = new TreeMap<String, Object>();
        members.put("at", at.toEpochMilli());
        members.put("actor", actor);
        members.put("source", source);
        members.put("action", action);
        members.put("outcome", outcome);
        members.put("records", records);
        put(members, "tenant", tenant);
        put(members, "response", response);
        put(members, "case_id", caseId);
        put(members, "reason", reason);
        put(members, "detail", detail);
        put(members, "imported", imported ? true : null);
        return members;
    }

    /// What an erasure of a person may take away.
    SortedMap<String, Object> personal() {
        var members = new TreeMap<String, Object>();
        put(members, SUBJECT_TOKEN, subjectToken);
        return members;
    }

    private static void put(SortedMap<String, Object> members, String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value);
        }
    }
}
