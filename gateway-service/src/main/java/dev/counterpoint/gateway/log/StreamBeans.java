package dev.counterpoint.gateway.log;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.config.StreamConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;

/// The plain objects that the stream package is made of, one of each for the process.
final class StreamBeans {
    /// This incarnation, as sender of beats.
    private static final String SELF = "gateway-" + UUID.randomUUID();

    private StreamBeans() {}

    @Produces
    @Singleton
    static KeyRing keys(StreamConfig config) {
        return KeyRing.load(config.keysDir(), ServiceRole.GATEWAY);
    }

    @Produces
    @Singleton
    static KafkaClients clients(StreamConfig config) {
        return new KafkaClients(config.bootstrapServers());
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
    static LogCommands decisions(KafkaProducer<String, byte[]> producer) {
        return new LogCommands(producer);
    }

    @Produces
    @Singleton
    static FleetMembership fleet(StreamConfig config) {
        return new FleetMembership(SELF, config.deadAfterBeats(), config.beatInterval());
    }

    @Produces
    @Singleton
    static DeadLetters deadLetters() {
        return new DeadLetters();
    }

    @Produces
    @Singleton
    static BeatLoop beats(
            KafkaClients clients, KafkaProducer<String, byte[]> producer, FleetMembership fleet, Admission admission) {
        return new BeatLoop(clients, producer, SELF, fleet, admission::release);
    }

    static void close(@Disposes BeatLoop beats) {
        beats.close();
    }
}
