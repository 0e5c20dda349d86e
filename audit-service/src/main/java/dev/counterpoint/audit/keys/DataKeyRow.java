package dev.counterpoint.audit.keys;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/// One row of the table `data_key`: the key of one subject's records of one month, wrapped with the tenant's key.
/// Deleting the row makes those records unreadable.
@Entity
@Table(name = "data_key")
class DataKeyRow {
    @Id
    String id;

    String tenant;
    byte[] subjectToken;

    /// Such as `2026-11`, in UTC.
    String month;
    byte[] wrappedKey;
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
