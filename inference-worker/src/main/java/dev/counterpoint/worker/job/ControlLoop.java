package dev.counterpoint.worker.job;

import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listens for responses that must stop. From its making on: what was said before is not about this worker, and nothing
/// said later is missed, whatever happens to the connection. Hearing a record twice does no harm.
final class ControlLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLoop.class);
    private static final TopicPartition CONTROL = new TopicPartition(Topic.CONTROL, 0);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final long ALL = -1;

    private final Supplier<Consumer<String, byte[]>> readers;
    private final java.util.function.Consumer<Control> obey;
    /// Offset of the next record.
    private long next;

    private volatile boolean closed;

    /// @param readers makes a consumer without a group
    /// @param obey takes what is said
    /// @throws KafkaException when the bus does not say where the topic ends
    ControlLoop(Supplier<Consumer<String, byte[]>> readers, java.util.function.Consumer<Control> obey) {
        this.readers = readers;
        this.obey = obey;
        try (var consumer = readers.get()) {
            next = Objects.requireNonNull(consumer.endOffsets(List.of(CONTROL)).get(CONTROL));
        }
    }

    void close() {
        closed = true;
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = readers.get()) {
                consumer.assign(List.of(CONTROL));
                seek(consumer);
                while (!closed) {
                    consumer.poll(POLL).forEach(this::take);
                }
            } catch (OffsetOutOfRangeException e) {
                next = ALL;
            } catch (KafkaException e) {
                LOG.warn(
                        "listening for control is retried cause={}",
                        e.getClass().getSimpleName());
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    private void seek(Consumer<String, byte[]> consumer) {
        if (next == ALL) {
            consumer.seekToBeginning(List.of(CONTROL));
        } else {
            consumer.seek(CONTROL, next);
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        next = record.offset() + 1;
        try {
            obey.accept(Control.decode(Clients.body(record)));
        } catch (MalformedMessageException e) {
            LOG.warn("control record passed over offset={}", record.offset());
        } catch (RuntimeException e) {
            // An engine that takes a cancel badly must not make this deaf.
            LOG.error("control record failed offset={}", record.offset(), e);
        }
    }
}
