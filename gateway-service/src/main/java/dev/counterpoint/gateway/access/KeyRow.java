package dev.counterpoint.gateway.access;

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
class KeyRow {
    @Id
    String id;

    @Column(name = "tenant_id")
    String tenant;

    @Column
    String name;

    @Column
    String project;

    @Column
    byte[] hash;

    @Column
    String prefix;

    @Column
    String scopes;

    @Column
    @Enumerated(EnumType.STRING)
    AuditSetting audit;

    @Column(name = "created_at")
    Instant createdAt;

    @Column(name = "last_used_at")
    @Nullable
    Instant lastUsedAt;

    @Column(name = "expires_at")
    @Nullable
    Instant expiresAt;

    @Column(name = "revoked_at")
    @Nullable
    Instant revokedAt;

    @Embedded
    @Nullable
    private Limits limits;

    /// For Hibernate.
    KeyRow() {}

    KeyRow(String id, String tenant, ApiKey key, NewKey wanted) {
        this.id = id;
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
    Limits limits() {
        var held = limits == null ? new Limits() : limits;
        limits = held;
        return held;
    }

    Set<Scope> scopes() {
        return Scope.split(scopes);
    }
}
