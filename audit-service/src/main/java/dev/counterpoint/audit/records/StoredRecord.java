package dev.counterpoint.audit.records;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A record without its content, with the columns of the database.
///
/// @param seq order of storing
/// @param subjectToken hexadecimal; null once the person is erased, as `conversation` is
/// @param erased true when the key of the record was destroyed
/// @param evidence as in [RecordEvidence], with `flags` and `closing`
public record StoredRecord(
        @JsonIgnore long seq,
        String response,
        String tenant,
        @Nullable String subjectToken,
        String key,
        String model,
        String status,
        String reason,
        Instant acceptedAt,
        Instant endedAt,
        Instant storedAt,
        String optIn,
        @Nullable String conversation,
        boolean partial,
        boolean cut,
        int unopenedFrames,
        int inputTokens,
        int outputTokens,
        int reasoningTokens,
        int segments,
        boolean erased,
        String evidence,
        List<String> flags,
        JsonNode closing)
        implements FoundRecord {
    static StoredRecord of(RecordRow row, boolean erased) {
        return new StoredRecord(
                row.seq,
                row.response,
                row.tenant,
                row.subjectToken == null ? null : HexFormat.of().formatHex(row.subjectToken),
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
                erased,
                row.evidence.state(),
                row.evidence.flags(),
                row.evidence.shown());
    }
}
