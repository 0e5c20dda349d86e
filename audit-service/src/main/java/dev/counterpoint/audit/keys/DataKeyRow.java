package dev.counterpoint.audit.keys;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/// One row of the table `data_key`: the key of one subject's records of one month, wrapped by the tenant's.
/// Deleting the row makes those records unreadable.
@Entity
@Table(name = "data_key")
class DataKeyRow {
    @Id
    String id;

    @Column
    String tenant;

    @Column(name = "subject_token")
    byte[] subjectToken;

    /// Such as `2026-11`, in UTC.
    @Column
    String month;

    @Column(name = "wrapped_key")
    byte[] wrappedKey;

    @Column(name = "created_at")
    Instant createdAt;

    /// The bytes that the wrapped key is bound to.
    byte[] associatedData() {
        return new CanonicalEncoder("data-key-1")
                .text(id)
                .text(tenant)
                .bytes(subjectToken)
                .text(month)
                .time(createdAt)
                .toBytes();
    }
}
