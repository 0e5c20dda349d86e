package dev.counterpoint.audit.keys;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/// One row of the table `tenant_key`: a tenant's two keys, wrapped by the root.
@Entity
@Table(name = "tenant_key")
class TenantKeyRow {
    @Id
    String tenant;

    /// Wraps the tenant's data keys.
    byte[] wrappedKey;

    /// Makes the tokens of the tenant's subjects.
    byte[] wrappedSearchKey;
    Instant createdAt;
}
