package dev.counterpoint.audit.accesslog;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// One entry of the access log, as auditors see it.
///
/// @param seq order of writing
/// @param source `audit` for staff, `gateway` for callers that saw raw reasoning
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
        @Nullable String detail) {
    static AccessLogEntry of(AccessRow row) {
        return new AccessLogEntry(
                row.seq,
                row.id,
                row.at,
                row.actor,
                row.source,
                row.action,
                row.outcome,
                row.tenant,
                row.response,
                row.subjectToken == null ? null : HexFormat.of().formatHex(row.subjectToken),
                row.caseId,
                row.reason,
                row.records,
                row.detail);
    }
}
