package dev.counterpoint.gateway.access;

import dev.counterpoint.gateway.GatewayConfig;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import org.hibernate.StatelessSession;
import org.jboss.logging.Logger;

/// Puts the keys of the launcher's file in force at the start. Doing it again changes nothing, and two gateways that
/// start together do it one after the other. What was revoked or deleted stays so; a key that has left the file stays.
@ApplicationScoped
class Bootstrap {
    /// Any number, as long as everybody takes the same.
    private static final long LOCK = 0x63702d6b657973L;

    private static final Logger LOG = Logger.getLogger(Bootstrap.class);
    private static final String HELD =
            "select k, t from KeyRow k join TenantRow t on t.id = k.tenant where k.hash = :hash";

    private final StatelessSession database;
    private final GatewayConfig config;

    @Inject
    Bootstrap(StatelessSession database, GatewayConfig config) {
        this.database = database;
        this.config = config;
    }

    @Transactional
    void atStart(@Observes StartupEvent start) {
        config.bootstrapKeysFile().ifPresent(file -> install(BootstrapKeys.read(file)));
    }

    @Transactional
    void install(Iterable<BootstrapKeys.Line> lines) {
        database.createNativeQuery("select 1 from (select pg_advisory_xact_lock(:lock)) as taken", Integer.class)
                .setParameter("lock", LOCK)
                .getSingleResult();
        lines.forEach(this::install);
    }

    private void install(BootstrapKeys.Line line) {
        var held = database.createSelectionQuery(HELD, ApiKeys.Found.class)
                .setParameter("hash", line.key().hash())
                .uniqueResultOptional();
        if (held.isEmpty()) {
            var wanted =
                    new NewKey("bootstrap", NewKey.DEFAULT_PROJECT, line.scopes(), AuditSetting.ASK, null, _ -> {});
            database.insert(new KeyRow(Ids.create("key"), tenant(line.tenant()), line.key(), wanted));
            return;
        }
        var key = held.get().key();
        if (!held.get().tenant().name.equals(line.tenant())) {
            LOG.warnf("key=%s line=%d the key belongs to another tenant and stays as it is", key.id, line.number());
            return;
        }
        key.scopes = Scope.join(line.scopes());
        database.update(key);
    }

    private String tenant(String name) {
        database.createNativeMutationQuery("""
                        insert into tenant (id, name, created_at) values (:id, :name, now())
                        on conflict (name) where deleted_at is null do nothing""")
                .setParameter("id", Ids.create("tenant"))
                .setParameter("name", name)
                .executeUpdate();
        return database.createSelectionQuery(
                        "select id from TenantRow where name = :name and deletedAt is null", String.class)
                .setParameter("name", name)
                .getSingleResult();
    }
}
