package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.fleet.Beat;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.models.LiveFleet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends this gateway's beats and reads everybody's into the [LiveFleet].
final class BeatLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BeatLoop.class);
    private static final TopicPartition MODELS = new TopicPartition(Topic.MODELS, 0);

    private static final Duration POLL = Duration.ofMillis(250);

    private final Clients clients;
    private final Producer<String, byte[]> producer;
    private final String self;
    private final LiveFleet fleet;
    private final Runnable heard;
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("beat-sender").daemon().factory());
    private final Thread reader;
    private final AtomicBoolean underway = new AtomicBoolean();
    /// Offset of the next beat to read, -1 before the first; touched by the reading thread only.
    private long next = -1;
    private volatile boolean closed;
    private volatile long heardAtNanos = System.nanoTime() - Duration.ofHours(1).toNanos();

    /// @param heard told after each beat; must return at once
    BeatLoop(Clients clients, Producer<String, byte[]> producer, String self, LiveFleet fleet, Runnable heard) {
        this.clients = clients;
        this.producer = producer;
        this.self = self;
        this.fleet = fleet;
        this.heard = heard;
        reader = Thread.ofPlatform().name("beat-reader").daemon().unstarted(this::read);
    }

    void start(Duration interval) {
        reader.start();
        sender.scheduleAtFixedRate(this::send, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Whether our own beats come back: the bus takes records and hands them out.
    boolean busAnswers(Duration within) {
        return System.nanoTime() - heardAtNanos < within.toNanos();
    }

    /// One at a time: beats that gathered while the bus was away would come back at once, and everybody else would look
    /// as silent as they are many.
    void send() {
        if (!underway.compareAndSet(false, true)) {
            return;
        }
        try {
            var beat = new Beat(self, null, System.currentTimeMillis());
            producer.send(new ProducerRecord<>(Topic.MODELS, 0, self, beat.encode()), (_, _) -> underway.set(false));
        } catch (RuntimeException e) {
            // A timer forgets a task that throws.
            underway.set(false);
            LOG.debug("beat not sent cause={}", e.getClass().getSimpleName());
        }
    }

    private void read() {
        while (!closed) {
            try (var consumer = clients.reader()) {
                consumer.assign(List.of(MODELS));
                seek(consumer);
                while (!closed) {
                    consumer.poll(POLL).forEach(this::take);
                }
            } catch (OffsetOutOfRangeException e) {
                next = -1;
            } catch (KafkaException e) {
                LOG.warn("reading beats is retried cause={}", e.getClass().getSimpleName());
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /// From the beginning only once: our own beats read twice would let time jump.
    private void seek(Consumer<String, byte[]> consumer) {
        if (next < 0) {
            consumer.seekToBeginning(List.of(MODELS));
        } else {
            consumer.seek(MODELS, next);
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        next = record.offset() + 1;
        if (record.value() == null) {
            fleet.left(record.key());
            return;
        }
        try {
            var beat = Beat.decode(record.value());
            fleet.accept(beat);
            if (beat.sender().equals(self)) {
                heardAtNanos = System.nanoTime();
            }
            heard.run();
        } catch (MalformedMessageException e) {
            LOG.warn("beat passed over offset={}", record.offset());
        }
    }

    /// Says that this gateway leaves, so that nobody waits for the lapse of its clients.
    void leave() {
        sender.shutdownNow();
        try {
            producer.send(farewell());
        } catch (RuntimeException e) {
            LOG.debug("farewell not sent cause={}", e.getClass().getSimpleName());
        }
    }

    @SuppressWarnings("NullAway") // a record without a value removes what its key said
    private ProducerRecord<String, byte[]> farewell() {
        return new ProducerRecord<>(Topic.MODELS, 0, self, null);
    }

    @Override
    public void close() {
        closed = true;
        sender.shutdownNow();
    }
}
