package dev.counterpoint.gateway.tenancy;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.store.Sql;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts the keys of the launcher's file in force at the start. Doing it again changes nothing, and two gateways that
/// start together do it one after the other. What was revoked or deleted stays so; a key that has left the file stays.
@ApplicationScoped
class KeyBootstrap {
    /// Any number, as long as everybody takes the same.
    private static final long LOCK = 0x63702d6b657973L;

    private static final Logger LOG = LoggerFactory.getLogger(KeyBootstrap.class);

    private final Tenants tenants;
    private final KeyRows keys;
    private final Sql sql;
    private final GatewayConfig config;

    KeyBootstrap(Tenants tenants, KeyRows keys, Sql sql, GatewayConfig config) {
        this.tenants = tenants;
        this.keys = keys;
        this.sql = sql;
        this.config = config;
    }

    @Transactional
    void atStart(@Observes StartupEvent start) {
        config.bootstrapKeysFile().ifPresent(file -> install(BootstrapKeys.read(file)));
    }

    @Transactional
    void install(Iterable<BootstrapKeys.Line> lines) {
        sql.list(Integer.class, "select 1 from (select pg_advisory_xact_lock(?)) as taken", LOCK);
        lines.forEach(this::install);
    }

    private void install(BootstrapKeys.Line line) {
        var held = keys.find(line.key().hash());
        if (held.isEmpty()) {
            var wanted = new NewKey("bootstrap", Owner.DEFAULT_PROJECT, line.scopes(), AuditSetting.ASK, null, _ -> {});
            keys.persist(new KeyRow(tenants.named(line.tenant()).id, line.key(), wanted));
            return;
        }
        var key = held.get().key();
        if (!held.get().tenant().name.equals(line.tenant())) {
            LOG.warn("key={} line={} the key belongs to another tenant and stays as it is", key.id, line.number());
            return;
        }
        key.scopes = Scope.join(line.scopes());
    }
}
