package dev.counterpoint.gateway.tenancy;

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
public class TenantRow {
    @Id
    public String id;

    @Column
    public String name;

    @Column(name = "created_at")
    public Instant createdAt;

    @Column(name = "deleted_at")
    @Nullable
    public Instant deletedAt;

    @Embedded
    @Nullable
    private Limits limits;

    @Column(name = "audit_opt_in_id")
    @Nullable
    public String auditOptInId;

    @Column(name = "audit_agreed_by")
    @Nullable
    public String auditAgreedBy;

    @Column(name = "audit_agreed_at")
    @Nullable
    public Instant auditAgreedAt;

    /// Whether a model may write the summaries of its reasoning.
    @Column(name = "written_summaries")
    public boolean writtenSummaries;

    /// For Hibernate.
    TenantRow() {}

    /// Takes note of who agreed that raw reasoning is kept for compliance staff; null withdraws the agreement.
    public void agreeToAudit(@Nullable String by) {
        auditAgreedBy = by;
        auditOptInId = by == null ? null : RowIds.create("optin");
        auditAgreedAt = by == null ? null : Instant.now();
    }

    /// Never null, as what Hibernate reads from a row without limits is.
    public Limits limits() {
        var held = limits == null ? new Limits() : limits;
        limits = held;
        return held;
    }

    /// Hibernate writes a row whose [#limits] were asked for.
    boolean limited() {
        return limits != null && limits.any();
    }
}
