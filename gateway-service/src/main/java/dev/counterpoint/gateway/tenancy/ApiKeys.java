package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.config.GatewayConfig;
import io.quarkus.panache.common.Sort;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The API keys, known by their hashes. Thread-safe; every method is one short transaction.
@ApplicationScoped
public class ApiKeys {
    /// The precision of `last_used_at`; a write for every request would buy nothing.
    private static final Duration LAST_USE_RESOLUTION = Duration.ofMinutes(1);

    private static final Sort OLDEST_FIRST = Sort.by("createdAt").and("id");

    private final KeyRows rows;
    private final GatewayConfig config;

    ApiKeys(KeyRows rows, GatewayConfig config) {
        this.rows = rows;
        this.config = config;
    }

    @Transactional
    public KeyRow create(String tenant, ApiKey key, NewKey wanted) {
        var row = new KeyRow(tenant, key, wanted);
        rows.persist(row);
        return row;
    }

    /// The owner of a key; empty when the key is unknown, revoked or expired, or its tenant is gone.
    @Transactional
    Optional<Caller> open(byte[] hash) {
        var found = rows.findOpen(hash);
        found.ifPresent(owned -> touch(owned.key(), Instant.now()));
        return found.map(owned -> owned.caller(config.writtenSummaries()));
    }

    private void touch(KeyRow key, Instant now) {
        if (key.lastUsedAt == null || key.lastUsedAt.isBefore(now.minus(LAST_USE_RESOLUTION))) {
            // This column alone: a change of the others at the same time stays.
            rows.update("lastUsedAt = ?1 where id = ?2", now, key.id);
        }
    }

    /// Oldest first, revoked ones included.
    ///
    /// @param after id of the key before the first one wanted, or null
    @Transactional
    public List<KeyRow> list(String tenant, @Nullable String after, int atMost) {
        var later = " and (createdAt, id) > (select k.createdAt, k.id from KeyRow k where k.id = ?2)";
        var found = after == null
                ? rows.find("tenant = ?1", OLDEST_FIRST, tenant)
                : rows.find("tenant = ?1" + later, OLDEST_FIRST, tenant, after);
        return found.page(0, atMost).list();
    }

    /// Changes the limits of a key that is not revoked; empty when the tenant has none such.
    @Transactional
    public Optional<KeyRow> change(String tenant, String id, Consumer<Limits> wanted) {
        // Locked, because two changes at once would each write back what the other had not seen.
        var key = rows.find("id = ?1 and tenant = ?2 and revokedAt is null", id, tenant)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .singleResultOptional();
        key.ifPresent(row -> wanted.accept(row.limits()));
        return key;
    }

    /// Takes effect everywhere within [dev.counterpoint.gateway.config.GatewayConfig#keyCacheTtl()]; revoking twice
    /// changes nothing.
    ///
    /// @return false when the tenant has no such key
    @Transactional
    public boolean revoke(String tenant, String id) {
        return rows.update("revokedAt = coalesce(revokedAt, instant) where id = ?1 and tenant = ?2", id, tenant) == 1;
    }
}
