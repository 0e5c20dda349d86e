package dev.counterpoint.gateway.access;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;

/// The tenants. Thread-safe; every method is one short transaction.
@ApplicationScoped
class Tenants {
    private final StatelessSession database;

    @Inject
    Tenants(StatelessSession database) {
        this.database = database;
    }

    /// A wish to change a tenant.
    interface Change {
        void apply(TenantRow tenant);
    }

    /// Empty when a tenant of that name is there already.
    @Transactional
    Optional<TenantRow> create(String name, Change settings) {
        var tenant = new TenantRow(Ids.create("tenant"), name, Instant.now());
        settings.apply(tenant);
        // Two gateways may be asked for the same name at once; the index decides.
        int created = database.createNativeMutationQuery("""
                        insert into tenant (id, name, created_at) values (:id, :name, :created)
                        on conflict (name) where deleted_at is null do nothing""")
                .setParameter("id", tenant.id)
                .setParameter("name", name)
                .setParameter("created", tenant.createdAt)
                .executeUpdate();
        if (created == 0) {
            return Optional.empty();
        }
        database.update(tenant);
        return Optional.of(tenant);
    }

    @Transactional
    Optional<TenantRow> find(String id) {
        return database.createSelectionQuery("from TenantRow where id = :id and deletedAt is null", TenantRow.class)
                .setParameter("id", id)
                .uniqueResultOptional();
    }

    /// Oldest first.
    ///
    /// @param after id of the tenant before the first one wanted, or null
    @Transactional
    List<TenantRow> list(@Nullable String after, int atMost) {
        return database.createSelectionQuery("""
                        from TenantRow where deletedAt is null and (:after is null
                            or (createdAt, id) > (select t.createdAt, t.id from TenantRow t where t.id = :after))
                        order by createdAt, id""", TenantRow.class)
                .setParameter("after", after, String.class)
                .setMaxResults(atMost)
                .getResultList();
    }

    /// Empty when there is no such tenant.
    @Transactional
    Optional<TenantRow> change(String id, Change change) {
        // Locked, because two changes at once would each write back what the other had not seen.
        var tenant = database.createNativeQuery(
                        "select * from tenant where id = :id and deleted_at is null for update", TenantRow.class)
                .setParameter("id", id)
                .uniqueResultOptional();
        tenant.ifPresent(row -> {
            change.apply(row);
            database.update(row);
        });
        return tenant;
    }

    /// Closes the tenant and with it all its keys; its name is free again.
    ///
    /// @return false when there is no such tenant
    @Transactional
    boolean delete(String id) {
        return change(id, tenant -> tenant.deletedAt = Instant.now()).isPresent();
    }
}
