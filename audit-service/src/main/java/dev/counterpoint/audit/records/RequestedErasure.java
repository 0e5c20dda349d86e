package dev.counterpoint.audit.records;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An erasure that somebody has asked for, and what became of the request; or the list of the erasures that a
/// restore lost.
///
/// @param id of the receipt too, once it is approved
/// @param subjectToken hexadecimal
/// @param subject the name, for who may approve an open request; else null
/// @param lostSince the time of the backup whose later erasures the receipts are; null in a request for an erasure
/// @param receipts ids of the receipts of a list; empty in a request for an erasure
/// @param records how many records of the subject there are
/// @param expiresAt the time after which nobody can approve it
/// @param decidedBy who approved or cancelled it; null for nobody
/// @param status `requested`, `approved`, `cancelled` or `expired`
public record RequestedErasure(
        String id,
        Instant at,
        String requestedBy,
        String caseId,
        String reason,
        String tenant,
        String subjectToken,
        @Nullable String subject,
        long records,
        @Nullable Instant lostSince,
        List<String> receipts,
        Instant expiresAt,
        @Nullable Instant decidedAt,
        @Nullable String decidedBy,
        String status)
        implements Erasure {
    static RequestedErasure of(ErasureRequestRow row, long records, @Nullable String subject) {
        boolean expired = row.decision.equals(ErasureRequestRow.REQUESTED) && !row.expiresAt.isAfter(Instant.now());
        return new RequestedErasure(
                row.id,
                row.at,
                row.actor,
                row.caseId,
                row.reason,
                row.tenant,
                HexFormat.of().formatHex(row.subjectToken),
                subject,
                records,
                row.lostSince,
                row.receipts.isEmpty() ? List.of() : List.of(row.receipts.split(" ")),
                row.expiresAt,
                row.decidedAt,
                row.decidedBy,
                expired ? "expired" : row.decision);
    }

    /// Names no person.
    @Override
    public String toString() {
        return "RequestedErasure[id=%s, tenant=%s]".formatted(id, tenant);
    }
}
