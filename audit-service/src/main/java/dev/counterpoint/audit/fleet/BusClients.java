package dev.counterpoint.audit.fleet;

import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.servicekit.RefusedRecords;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/// Makes the sealing keys and the Kafka admin client of this service.
@ApplicationScoped
class BusClients {
    @Produces
    @Singleton
    KeyRing keys(AuditConfig config, RefusedRecords refusals) {
        return KeyRing.load(config.keysDir(), ServiceRole.AUDIT, refusals);
    }

    @Produces
    @Singleton
    KafkaClients clients(AuditConfig config) {
        return BusAccount.clients(config.bootstrapServers(), config.keysDir(), ServiceRole.AUDIT);
    }

    /// For the channels of `application.properties`, which name it.
    @Produces
    @Singleton
    @Identifier("bus")
    Map<String, Object> channels(KafkaClients clients) {
        return Map.copyOf(clients.login());
    }

    @Produces
    @Singleton
    Admin admin(KafkaClients clients) {
        return clients.admin();
    }

    void close(@Disposes Admin admin) {
        admin.close();
    }
}
