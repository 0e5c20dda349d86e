package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.models.LiveFleet;
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
        return KeyRing.load(config.keysDir(), Role.GATEWAY);
    }

    @Produces
    @Singleton
    static Clients clients(StreamConfig config) {
        return new Clients(config.bootstrapServers());
    }

    @Produces
    @Singleton
    static KafkaProducer<String, byte[]> producer(Clients clients) {
        return clients.promptProducer();
    }

    static void close(@Disposes KafkaProducer<String, byte[]> producer) {
        producer.close(Duration.ofSeconds(2));
    }

    @Produces
    @Singleton
    static Decisions decisions(KafkaProducer<String, byte[]> producer) {
        return new Decisions(producer);
    }

    @Produces
    @Singleton
    static LiveFleet fleet(StreamConfig config) {
        return new LiveFleet(SELF, config.deadAfterBeats(), config.beatInterval());
    }

    @Produces
    @Singleton
    static DeadLetters deadLetters() {
        return new DeadLetters();
    }

    @Produces
    @Singleton
    static BeatLoop beats(
            Clients clients, KafkaProducer<String, byte[]> producer, LiveFleet fleet, Admission admission) {
        return new BeatLoop(clients, producer, SELF, fleet, admission::release);
    }

    static void close(@Disposes BeatLoop beats) {
        beats.close();
    }
}
