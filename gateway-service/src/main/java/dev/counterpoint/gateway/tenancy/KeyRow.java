package dev.counterpoint.gateway.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One row of the table `api_key`.
@Entity
@Table(name = "api_key")
public class KeyRow {
    @Id
    public String id;

    @Column(name = "tenant_id")
    public String tenant;

    @Column
    public String name;

    @Column
    public String project;

    @Column
    public byte[] hash;

    @Column
    public String prefix;

    @Column
    public String scopes;

    @Column
    @Enumerated(EnumType.STRING)
    public AuditSetting audit;

    @Column(name = "created_at")
    public Instant createdAt;

    @Column(name = "last_used_at")
    @Nullable
    public Instant lastUsedAt;

    @Column(name = "expires_at")
    @Nullable
    public Instant expiresAt;

    @Column(name = "revoked_at")
    @Nullable
    public Instant revokedAt;

    @Embedded
    @Nullable
    private Limits limits;

    /// For Hibernate.
    KeyRow() {}

    KeyRow(String tenant, ApiKey key, NewKey wanted) {
        id = RowIds.create("key");
        this.tenant = tenant;
        name = wanted.name();
        project = wanted.project();
        hash = key.hash();
        prefix = key.prefix();
        scopes = Scope.join(wanted.scopes());
        audit = wanted.audit();
        createdAt = Instant.now();
        expiresAt = wanted.expiresAt();
        wanted.limits().accept(limits());
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

    public Set<Scope> scopes() {
        return Scope.split(scopes);
    }
}
