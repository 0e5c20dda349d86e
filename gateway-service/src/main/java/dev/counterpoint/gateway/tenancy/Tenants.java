package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.store.Sql;
import io.quarkus.panache.common.Sort;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The tenants. Thread-safe; every method is one short transaction, or part of the caller's.
@ApplicationScoped
public class Tenants {
    /// Two gateways may be asked for the same name at once; the index decides.
    private static final String CREATE = """
            insert into tenant (id, name, created_at) values (?, ?, ?)
            on conflict (name) where deleted_at is null do nothing returning id""";

    private static final Sort OLDEST_FIRST = Sort.by("createdAt").and("id");

    private final TenantRows rows;
    private final Sql sql;
    private final GatewayConfig config;

    Tenants(TenantRows rows, Sql sql, GatewayConfig config) {
        this.rows = rows;
        this.sql = sql;
        this.config = config;
    }

    /// A tenant has the limits of a new one where `settings` do not say otherwise.
    ///
    /// @return empty when a tenant of that name is there already
    @Transactional
    public Optional<TenantRow> create(String name, Consumer<TenantRow> settings) {
        var id = sql.first(String.class, CREATE, RowIds.create("tenant"), name, Instant.now());
        var tenant = id.map(rows::findById);
        tenant.ifPresent(made -> {
            made.limits().requestsPerMinute = orNone(config.newTenantRequestsPerMinute());
            made.limits().concurrentStreams = orNone(config.newTenantConcurrentStreams());
            settings.accept(made);
        });
        return tenant;
    }

    private static @Nullable Integer orNone(OptionalInt limit) {
        return limit.isPresent() ? limit.getAsInt() : null;
    }

    @Transactional
    public Optional<TenantRow> find(String id) {
        return rows.find("id = ?1 and deletedAt is null", id).singleResultOptional();
    }

    /// Finds a tenant by its name, or makes it.
    @Transactional
    TenantRow named(String name) {
        return create(name, _ -> {})
                .orElseGet(
                        () -> rows.find("name = ?1 and deletedAt is null", name).singleResult());
    }

    /// Oldest first.
    ///
    /// @param after id of the tenant before the first one wanted, or null
    @Transactional
    public List<TenantRow> list(@Nullable String after, int atMost) {
        var later = " and (createdAt, id) > (select t.createdAt, t.id from TenantRow t where t.id = ?1)";
        var found = after == null
                ? rows.find("deletedAt is null", OLDEST_FIRST)
                : rows.find("deletedAt is null" + later, OLDEST_FIRST, after);
        return found.page(0, atMost).list();
    }

    /// Empty when there is no such tenant.
    @Transactional
    public Optional<TenantRow> change(String id, Consumer<TenantRow> change) {
        // Locked, because two changes at once would each write back what the other had not seen.
        var tenant = rows.find("id = ?1 and deletedAt is null", id)
                .withLock(LockModeType.PESSIMISTIC_WRITE)
                .singleResultOptional();
        tenant.ifPresent(change);
        return tenant;
    }

    /// Closes the tenant and with it all its keys and webhooks; its name is free again.
    ///
    /// @return false when there is no such tenant
    @Transactional
    public boolean delete(String id) {
        sql.as(id).update("delete from webhook_endpoint where tenant_id = ?", id);
        return change(id, tenant -> tenant.deletedAt = Instant.now()).isPresent();
    }
}
