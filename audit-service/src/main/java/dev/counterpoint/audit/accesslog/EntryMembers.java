package dev.counterpoint.audit.accesslog;

import dev.counterpoint.bus.audit.AccessEntry;
import java.time.Instant;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The members of an entry as the log commits to them.
///
/// @param personal what an erasure of a person may take away
record EntryMembers(SortedMap<String, Object> plain, SortedMap<String, Object> personal) {
    private EntryMembers(String source, Instant at) {
        this(new TreeMap<>(), new TreeMap<>());
        with("source", source).with("at", at.toEpochMilli());
    }

    static EntryMembers of(StaffAccess access, Instant at) {
        return new EntryMembers("audit", at)
                .with("actor", access.actor())
                .with("action", access.action().wireName())
                .with("outcome", access.outcome().wireName())
                .with("tenant", access.tenant())
                .with("response", access.response())
                .with("case_id", access.caseId())
                .with("reason", access.reason())
                .with("records", access.records())
                .with("detail", access.detail())
                .about(access.subjectToken());
    }

    static EntryMembers of(AccessEntry shown) {
        var action = switch (shown.action()) {
            case RAW_REASONING_SHOWN -> StaffAccess.Action.RAW_REASONING_SHOWN;
            case UNKNOWN -> StaffAccess.Action.UNKNOWN;
        };
        return new EntryMembers("gateway", Instant.ofEpochMilli(shown.atMillis()))
                .with("actor", shown.actor())
                .with("action", action.wireName())
                .with("outcome", StaffAccess.Outcome.GRANTED.wireName())
                .with("tenant", shown.tenant())
                .with("response", shown.response())
                .with("records", 1);
    }

    static EntryMembers of(AccessRow row) {
        return new EntryMembers(row.source, row.at)
                .with("actor", row.actor)
                .with("action", row.action)
                .with("outcome", row.outcome)
                .with("tenant", row.tenant)
                .with("response", row.response)
                .with("case_id", row.caseId)
                .with("reason", row.reason)
                .with("records", row.records)
                .with("detail", row.detail)
                .with("imported", true)
                .about(row.subjectToken);
    }

    private EntryMembers with(String name, @Nullable Object value) {
        if (value != null) {
            plain.put(name, value);
        }
        return this;
    }

    private EntryMembers about(byte @Nullable [] subjectToken) {
        if (subjectToken != null) {
            personal.put("subject_token", HexFormat.of().formatHex(subjectToken));
        }
        return this;
    }
}
