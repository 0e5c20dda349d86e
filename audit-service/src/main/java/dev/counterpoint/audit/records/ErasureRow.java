package dev.counterpoint.audit.records;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `erasure`: the remaining work of an erasure. Its receipt is an event of the log; only [#sealed]
/// decides whose erasure it is.
@Entity
@Table(name = "erasure")
class ErasureRow {
    @Id
    String id;

    Instant at;
    String tenant;

    /// Kept for a while, for records that are on their way.
    byte @Nullable [] subjectToken;

    @Nullable
    Instant purgedAt;

    /// The entry for the log of erasures; null in rows of before, until it is read from the log.
    byte @Nullable [] sealed;
}
