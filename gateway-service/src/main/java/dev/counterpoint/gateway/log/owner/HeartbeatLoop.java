package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.BeatSigner;
import dev.counterpoint.bus.seal.BeatVerifier;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.servicekit.HeartbeatPublisher;
import dev.counterpoint.servicekit.PollLoop;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends this gateway's beats and reads everybody's into the [FleetMembership].
@Singleton
final class HeartbeatLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLoop.class);

    private final HeartbeatPublisher heartbeats;
    private final String self;
    /// Touched by the reader only.
    private final BeatVerifier verifier;
    private final FleetMembership fleet;
    private final Runnable heard;
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("beat-sender").daemon().factory());
    /// From the beginning only once: our own beats read twice would let time jump.
    private final PollLoop reader;

    private volatile long heardAtNanos = System.nanoTime() - Duration.ofHours(1).toNanos();

    @Inject
    HeartbeatLoop(
            KafkaClients clients,
            KafkaProducer<String, byte[]> producer,
            FleetMembership fleet,
            Admission admission,
            KeyRing keys) {
        this(clients, producer, fleet, admission::release, keys);
    }

    /// @param heard told after each beat; must return at once
    HeartbeatLoop(
            KafkaClients clients,
            Producer<String, byte[]> producer,
            FleetMembership fleet,
            Runnable heard,
            KeyRing keys) {
        self = fleet.self();
        heartbeats = new HeartbeatPublisher(producer, new BeatSigner(self, keys));
        verifier = new BeatVerifier(keys);
        this.fleet = fleet;
        this.heard = heard;
        reader = PollLoop.fromBeginning(clients::tailReader, Topic.MODELS, this::take);
    }

    void start(Duration interval) {
        reader.start();
        sender.scheduleAtFixedRate(this::send, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Whether our own beats come back: the bus takes records and hands them out.
    boolean busAnswers(Duration within) {
        return System.nanoTime() - heardAtNanos < within.toNanos();
    }

    void send() {
        try {
            heartbeats.publish(new Heartbeat(self, null, System.currentTimeMillis()));
        } catch (RuntimeException e) {
            // A timer forgets a task that throws.
            LOG.debug("beat not sent cause={}", e.getClass().getSimpleName());
        }
    }

    /// A record without a value only removes beats from the bus.
    void take(ConsumerRecord<String, byte[]> record) {
        if (record.value() != null) {
            verifier.verify(record.value(), System.currentTimeMillis()).ifPresent(this::take);
        }
    }

    private void take(BeatVerifier.Heard news) {
        var beat = news.beat();
        if (news.leaves()) {
            fleet.left(beat.sender());
            return;
        }
        fleet.accept(beat);
        if (beat.sender().equals(self)) {
            heardAtNanos = System.nanoTime();
        }
        heard.run();
    }

    /// Says that this gateway leaves, so that nobody waits for the lapse of its clients.
    void leave() {
        sender.shutdownNow();
        try {
            heartbeats.leave();
        } catch (RuntimeException e) {
            LOG.debug("farewell not sent cause={}", e.getClass().getSimpleName());
        }
    }

    @Override
    @PreDestroy
    public void close() {
        reader.close();
        sender.shutdownNow();
    }
}
