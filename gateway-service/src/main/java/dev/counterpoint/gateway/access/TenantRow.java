package dev.counterpoint.gateway.access;

import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the table `tenant`.
@Entity
@Table(name = "tenant")
class TenantRow {
    @Id
    String id;

    @Column
    String name;

    @Column(name = "created_at")
    Instant createdAt;

    @Column(name = "deleted_at")
    @Nullable
    Instant deletedAt;

    @Embedded
    @Nullable
    private Limits limits;

    @Column(name = "audit_opt_in_id")
    @Nullable
    String auditOptInId;

    @Column(name = "audit_agreed_by")
    @Nullable
    String auditAgreedBy;

    @Column(name = "audit_agreed_at")
    @Nullable
    Instant auditAgreedAt;

    /// For Hibernate.
    TenantRow() {}

    TenantRow(String id, String name, Instant createdAt) {
        this.id = id;
        this.name = name;
        this.createdAt = createdAt;
    }

    /// Never null, as what Hibernate reads from a row without limits is.
    Limits limits() {
        var held = limits == null ? new Limits() : limits;
        limits = held;
        return held;
    }
}
