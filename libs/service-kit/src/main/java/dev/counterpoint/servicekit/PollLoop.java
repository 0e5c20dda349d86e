package dev.counterpoint.servicekit;

import dev.counterpoint.bus.seal.SealException;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads a topic of one partition and hands on one record after the other, on a thread of its own. It goes on where
/// it was when its connection breaks, and at the beginning when the log does not reach back to there. One record
/// that cannot be taken is passed over and disturbs no other.
public final class PollLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(250);
    private static final long BEGINNING = -1;

    private final Supplier<? extends Consumer<String, byte[]>> readers;
    private final TopicPartition partition;
    private final java.util.function.Consumer<ConsumerRecord<String, byte[]>> taker;
    private final Thread thread;
    /// Offset of the next record; touched by the loop's thread only, once that runs.
    private long next;
    private volatile @Nullable Consumer<String, byte[]> reading;
    private volatile boolean closed;

    private PollLoop(
            Supplier<? extends Consumer<String, byte[]>> readers,
            String topic,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> taker) {
        this.readers = readers;
        this.partition = new TopicPartition(topic, 0);
        this.taker = taker;
        thread = Thread.ofPlatform().name("read-" + topic).daemon().unstarted(this::run);
    }

    /// Reads all that the topic holds, and what comes.
    ///
    /// @param readers makes a consumer without a group
    public static PollLoop fromBeginning(
            Supplier<? extends Consumer<String, byte[]>> readers,
            String topic,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> taker) {
        var loop = new PollLoop(readers, topic, taker);
        loop.next = BEGINNING;
        return loop;
    }

    /// Reads what is appended from this call on, however late the loop starts.
    ///
    /// @param readers makes a consumer without a group
    /// @throws KafkaException when the bus does not say where the topic ends
    public static PollLoop fromEnd(
            Supplier<? extends Consumer<String, byte[]>> readers,
            String topic,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> taker) {
        var loop = new PollLoop(readers, topic, taker);
        try (var consumer = readers.get()) {
            loop.next = Objects.requireNonNull(
                    consumer.endOffsets(List.of(loop.partition)).get(loop.partition));
        }
        return loop;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try (var consumer = readers.get()) {
                reading = consumer;
                consumer.assign(List.of(partition));
                seek(consumer);
                while (!closed) {
                    consumer.poll(POLL).forEach(this::take);
                }
            } catch (OffsetOutOfRangeException e) {
                next = BEGINNING;
            } catch (KafkaException e) {
                retry(e);
            } catch (RuntimeException e) {
                LOG.error("reading failed topic={} error={}", partition.topic(), SafeStackTrace.of(e));
                retry(e);
            }
        }
    }

    /// A closed loop was woken up; that is no failure.
    private void retry(RuntimeException failure) {
        if (!closed) {
            LOG.warn(
                    "reading is retried topic={} cause={}",
                    partition.topic(),
                    failure.getClass().getSimpleName());
            // A broker that refuses at once must not make this spin.
            LockSupport.parkNanos(RETRY.toNanos());
        }
    }

    private void seek(Consumer<String, byte[]> consumer) {
        if (next == BEGINNING) {
            consumer.seekToBeginning(List.of(partition));
        } else {
            consumer.seek(partition, next);
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        next = record.offset() + 1;
        try {
            taker.accept(record);
        } catch (SealException e) {
            LOG.debug("record refused topic={} offset={}", partition.topic(), record.offset()); // told by the counter
        } catch (MalformedMessageException e) {
            LOG.warn("record passed over topic={} offset={}", partition.topic(), record.offset());
        } catch (RuntimeException e) {
            LOG.error(
                    "record failed topic={} offset={} error={}",
                    partition.topic(),
                    record.offset(),
                    SafeStackTrace.of(e));
        }
    }

    /// Ends the loop within a moment; does not wait for that.
    @Override
    public void close() {
        closed = true;
        var asking = reading;
        if (asking != null) {
            asking.wakeup();
        }
        LockSupport.unpark(thread);
    }
}
