package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.access.BusAccount;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Inboxes;
import dev.counterpoint.gateway.config.GatewayIncarnation;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.servicekit.RefusedRecords;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;

/// The plain objects that this package is made of, one of each for the process.
final class LogBeans {
    private LogBeans() {}

    @Produces
    @Singleton
    static KeyRing keys(LogConfig config, RefusedRecords refusals) {
        return KeyRing.load(config.keysDir(), ServiceRole.GATEWAY, refusals);
    }

    @Produces
    @Singleton
    static KafkaClients clients(LogConfig config) {
        return BusAccount.clients(config.bootstrapServers(), config.keysDir(), ServiceRole.GATEWAY);
    }

    /// For channels of `application.properties`, which name it.
    @Produces
    @Singleton
    @Identifier("bus")
    static Map<String, Object> channels(KafkaClients clients) {
        return Map.copyOf(clients.login());
    }

    @Produces
    @Singleton
    static KafkaProducer<String, byte[]> producer(KafkaClients clients) {
        return clients.promptProducer();
    }

    static void close(@Disposes KafkaProducer<String, byte[]> producer) {
        producer.close(Duration.ofSeconds(2));
    }

    @Produces
    @Singleton
    static LogCommands decisions(KafkaProducer<String, byte[]> producer, KeyRing keys, Inboxes inboxes) {
        return new LogCommands(producer, keys, inboxes);
    }

    @Produces
    @Singleton
    static FleetMembership fleet(LogConfig config) {
        return new FleetMembership(GatewayIncarnation.name(), config.deadAfterBeats(), config.beatInterval());
    }
}
