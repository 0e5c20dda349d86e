package dev.counterpoint.audit.records;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One row of the table `erasure`; leaves this package as [ErasureReceipt] only.
@Entity
@Table(name = "erasure")
class ErasureRow {
    @Id
    String id;

    Instant at;
    String actor;

    @Nullable
    String requestedBy;

    String caseId;
    String reason;
    String tenant;
    byte @Nullable [] subjectToken;
    String keyIds;
    long records;

    @Nullable
    Instant purgedAt;

    Instant completeAt;

    /// The entry for the log of erasures; null in rows of before, until it is read from the log.
    byte @Nullable [] sealed;

    List<String> keys() {
        return keyIds.isEmpty() ? List.of() : List.of(keyIds.split(" "));
    }

    boolean covers(RecordRow record, Instant acceptedAt) {
        return tenant.equals(record.tenant)
                && Arrays.equals(subjectToken, record.subjectToken)
                && !acceptedAt.isAfter(at);
    }
}
