package dev.counterpoint.audit.records;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One row of the table `erasure`; leaves this package as [ErasureReceipt] only.
@Entity
@Table(name = "erasure")
class ErasureRow {
    @Id
    String id;

    @Column
    Instant at;

    @Column
    String actor;

    @Column(name = "case_id")
    String caseId;

    @Column
    String reason;

    @Column
    String tenant;

    @Column(name = "subject_token")
    byte @Nullable [] subjectToken;

    @Column(name = "key_ids")
    String keyIds;

    @Column
    long records;

    @Column(name = "purged_at")
    @Nullable
    Instant purgedAt;

    List<String> keys() {
        return keyIds.isEmpty() ? List.of() : List.of(keyIds.split(" "));
    }
}
