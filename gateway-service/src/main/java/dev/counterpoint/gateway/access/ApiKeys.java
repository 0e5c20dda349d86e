package dev.counterpoint.gateway.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/// The API keys, known by their hashes. Thread-safe; every method is one short transaction.
@ApplicationScoped
class ApiKeys {
    /// How exact `last_used_at` is; a write for every request would buy nothing.
    private static final Duration LAST_USE_RESOLUTION = Duration.ofMinutes(1);

    private final StatelessSession database;

    @Inject
    ApiKeys(StatelessSession database) {
        this.database = database;
    }

    /// A key with its tenant.
    record Found(KeyRow key, TenantRow tenant) {
        Caller caller() {
            return new Caller(
                    tenant.id,
                    key.project,
                    key.id,
                    key.scopes(),
                    tenant.auditOptInId,
                    key.audit,
                    tenant.limits().any() || key.limits().any());
        }
    }

    @Transactional
    KeyRow create(String tenant, ApiKey key, NewKey wanted) {
        var row = new KeyRow(Ids.create("key"), tenant, key, wanted);
        database.insert(row);
        return row;
    }

    /// Who a key belongs to; empty when it is unknown, revoked or expired, or its tenant is gone.
    @Transactional
    Optional<Caller> open(byte[] hash) {
        var found = database.createSelectionQuery("""
                        select k, t from KeyRow k join TenantRow t on t.id = k.tenant
                        where k.hash = :hash and k.revokedAt is null and t.deletedAt is null
                            and (k.expiresAt is null or k.expiresAt > instant)""", Found.class)
                .setParameter("hash", hash)
                .uniqueResultOptional();
        found.ifPresent(opened -> touch(opened.key()));
        return found.map(Found::caller);
    }

    private void touch(KeyRow key) {
        var now = Instant.now();
        if (key.lastUsedAt == null || key.lastUsedAt.isBefore(now.minus(LAST_USE_RESOLUTION))) {
            database.createMutationQuery("update KeyRow set lastUsedAt = :now where id = :id")
                    .setParameter("now", now)
                    .setParameter("id", key.id)
                    .executeUpdate();
        }
    }

    /// Oldest first, revoked ones included.
    ///
    /// @param after id of the key before the first one wanted, or null
    @Transactional
    List<KeyRow> list(String tenant, @Nullable String after, int atMost) {
        return database.createSelectionQuery("""
                        from KeyRow where tenant = :tenant and (:after is null
                            or (createdAt, id) > (select k.createdAt, k.id from KeyRow k where k.id = :after))
                        order by createdAt, id""", KeyRow.class)
                .setParameter("tenant", tenant)
                .setParameter("after", after, String.class)
                .setMaxResults(atMost)
                .getResultList();
    }

    /// Changes the limits of a key that is not revoked; empty when the tenant has none such.
    @Transactional
    Optional<KeyRow> change(String tenant, String id, Consumer<Limits> wanted) {
        // Locked, because two changes at once would each write back what the other had not seen.
        var key = database.createNativeQuery("""
                        select * from api_key
                        where id = :id and tenant_id = :tenant and revoked_at is null for update""", KeyRow.class)
                .setParameter("id", id)
                .setParameter("tenant", tenant)
                .uniqueResultOptional();
        key.ifPresent(row -> {
            wanted.accept(row.limits());
            database.update(row);
        });
        return key;
    }

    /// Takes effect everywhere within [dev.counterpoint.gateway.GatewayConfig#keyCacheTtl()]; revoking twice
    /// changes nothing.
    ///
    /// @return false when the tenant has no such key
    @Transactional
    boolean revoke(String tenant, String id) {
        return database.createMutationQuery("""
                                update KeyRow set revokedAt = coalesce(revokedAt, instant)
                                where id = :id and tenant = :tenant""")
                        .setParameter("id", id)
                        .setParameter("tenant", tenant)
                        .executeUpdate()
                == 1;
    }
}
