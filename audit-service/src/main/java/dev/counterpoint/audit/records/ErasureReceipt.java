package dev.counterpoint.audit.records;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Says that a subject was erased: who did it, why, and which keys are gone.
///
/// @param subjectToken hexadecimal; null when nothing was ever written of the tenant
/// @param keys ids of the destroyed keys
/// @param records how many records can no longer be read
/// @param purgedAt when the space on disk that held the keys was written anew, or null while that is due
public record ErasureReceipt(
        String id,
        Instant at,
        String actor,
        String caseId,
        String reason,
        String tenant,
        @Nullable String subjectToken,
        List<String> keys,
        int keysDestroyed,
        long records,
        @Nullable Instant purgedAt) {
    static ErasureReceipt of(ErasureRow row) {
        var keys = row.keys();
        return new ErasureReceipt(
                row.id,
                row.at,
                row.actor,
                row.caseId,
                row.reason,
                row.tenant,
                row.subjectToken == null ? null : HexFormat.of().formatHex(row.subjectToken),
                keys,
                keys.size(),
                row.records,
                row.purgedAt);
    }
}
