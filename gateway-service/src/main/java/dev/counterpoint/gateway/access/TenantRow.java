package dev.counterpoint.gateway.access;

import jakarta.persistence.Column;
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

    @Column(name = "requests_per_minute")
    @Nullable
    Integer requestsPerMinute;

    @Column(name = "tokens_per_day")
    @Nullable
    Long tokensPerDay;

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
}
