package dev.counterpoint.audit.records;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The proof that a subject was erased: by whom, for which reason, and with which keys.
///
/// @param actor who erased
/// @param requestedBy who asked for it, where that is another person; null where one person erases alone
/// @param subjectToken hexadecimal; null when nothing was ever written of the tenant
/// @param keys ids of the destroyed keys
/// @param records how many records can no longer be read
/// @param purgedAt the time when the table of keys was rewritten on disk, or null while that is due
/// @param completeAt the time when the log of frames, which replays answers, has forgotten what was said until [#at]
/// @param status `pending` until [#completeAt] has passed, the keys are purged and the log of erasures holds it;
///     then `complete`, or `nothing_was_there` when it destroyed no key
public record ErasureReceipt(
        String id,
        Instant at,
        String actor,
        @Nullable String requestedBy,
        String caseId,
        String reason,
        String tenant,
        @Nullable String subjectToken,
        List<String> keys,
        int keysDestroyed,
        long records,
        @Nullable Instant purgedAt,
        Instant completeAt,
        String status)
        implements Erasure {
    static ErasureReceipt of(ErasureRow row, boolean logged) {
        var keys = row.keys();
        return new ErasureReceipt(
                row.id,
                row.at,
                row.actor,
                row.requestedBy,
                row.caseId,
                row.reason,
                row.tenant,
                row.subjectToken == null ? null : HexFormat.of().formatHex(row.subjectToken),
                keys,
                keys.size(),
                row.records,
                row.purgedAt,
                row.completeAt,
                status(row, logged));
    }

    private static String status(ErasureRow row, boolean logged) {
        if (!logged || row.purgedAt == null || row.completeAt.isAfter(Instant.now())) {
            return "pending";
        }
        return row.keyIds.isEmpty() ? "nothing_was_there" : "complete";
    }
}
