package dev.counterpoint.audit.records;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `erasure_request`; leaves this package as [RequestedErasure] only.
@Entity
@Table(name = "erasure_request")
class ErasureRequestRow {
    static final String REQUESTED = "requested";
    static final String APPROVED = "approved";
    static final String CANCELLED = "cancelled";

    @Id
    String id;

    Instant at;
    String actor;
    String caseId;
    String reason;
    String tenant;
    byte[] subjectToken;
    Instant expiresAt;

    /// The subject's name, encrypted, while the request is open.
    byte @Nullable [] sealedSubject;

    /// Of a request that says which erasures were lost; null in one for an erasure.
    @Nullable
    Instant lostSince;

    /// Ids, separated by blanks.
    String receipts = "";

    String decision;

    @Nullable
    Instant decidedAt;

    @Nullable
    String decidedBy;
}
