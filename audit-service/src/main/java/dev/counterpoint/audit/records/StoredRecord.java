package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.HexFormat;

/// What staff sees of a record without reading it. The columns are as the database has them; whether they are as they
/// were written shows when the record is read.
///
/// @param seq order of storing
/// @param subjectToken hexadecimal
/// @param erased whether its key was destroyed
public record StoredRecord(
        @JsonIgnore long seq,
        String response,
        String tenant,
        String subjectToken,
        String key,
        String model,
        String status,
        String reason,
        Instant acceptedAt,
        Instant endedAt,
        Instant storedAt,
        String optIn,
        String conversation,
        boolean partial,
        boolean cut,
        int unopenedFrames,
        int inputTokens,
        int outputTokens,
        int reasoningTokens,
        int segments,
        boolean erased) {
    static StoredRecord of(RecordRow row, boolean erased) {
        return new StoredRecord(
                row.seq,
                row.response,
                row.tenant,
                HexFormat.of().formatHex(row.subjectToken),
                row.key,
                row.model,
                row.status,
                row.reason,
                row.acceptedAt,
                row.endedAt,
                row.storedAt,
                row.optIn,
                row.conversation,
                row.partial,
                row.cut,
                row.unopenedFrames,
                row.inputTokens,
                row.outputTokens,
                row.reasoningTokens,
                row.segments,
                erased);
    }
}
