package dev.counterpoint.worker.attempt;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/// Sends the records of all attempts, in the order in which they come, with one producer and one thread, so callers
/// do not wait for the bus. Records without a waiting caller gather for a moment, because brokers and readers have
/// a cost per request, not per record. Thread-safe.
public final class FrameSender {
    /// Bytes that the broker has not answered for.
    private static final long BYTES_MAX = 8 << 20;

    private final Producer<String, byte[]> producer;
    private final ScheduledExecutorService sending;
    private final Supplier<Duration> gathering;
    private final Queue<Entry> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final AtomicLong bytes = new AtomicLong();

    private record Entry(ProducerRecord<String, byte[]> record, Callback answered) {}

    /// @param sending one thread of its own
    /// @param gathering how long records gather now; zero sends at once
    public FrameSender(
            Producer<String, byte[]> producer, ScheduledExecutorService sending, Supplier<Duration> gathering) {
        this.producer = producer;
        this.sending = sending;
        this.gathering = gathering;
    }

    /// False while the broker is slower than the callers, which should then wait. Records that they append
    /// nevertheless are sent.
    boolean hasRoom() {
        return bytes.get() < BYTES_MAX;
    }

    /// Sends the record soon, with others.
    ///
    /// @param answered receives the outcome on the producer's thread
    void append(ProducerRecord<String, byte[]> record, Callback answered) {
        add(new Entry(record, answered), gathering.get());
    }

    /// Sends the record and all earlier ones immediately.
    public CompletableFuture<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        var sent = new CompletableFuture<RecordMetadata>();
        Callback answered = (metadata, failure) -> {
            if (failure == null) {
                sent.complete(metadata);
            } else {
                sent.completeExceptionally(failure);
            }
        };
        add(new Entry(record, answered), Duration.ZERO);
        return sent;
    }

    private void add(Entry entry, Duration wait) {
        bytes.addAndGet(entry.record.value().length);
        queue.add(entry);
        try {
            if (wait.isZero()) {
                sending.execute(this::sendAll);
            } else if (!scheduled.getAndSet(true)) {
                sending.schedule(this::sendAll, wait.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (RejectedExecutionException e) {
            // Closed: the caller fails every entry that is still queued.
            for (var left = queue.poll(); left != null; left = queue.poll()) {
                answer(left, null, new KafkaException("closed"));
            }
        }
    }

    private void sendAll() {
        scheduled.set(false);
        for (var entry = queue.poll(); entry != null; entry = queue.poll()) {
            send(entry);
        }
    }

    private void send(Entry entry) {
        try {
            producer.send(entry.record, (metadata, failure) -> answer(entry, metadata, failure));
        } catch (KafkaException | IllegalStateException e) {
            answer(entry, null, e);
        }
    }

    private void answer(Entry entry, @Nullable RecordMetadata metadata, @Nullable Exception failure) {
        bytes.addAndGet(-entry.record.value().length);
        entry.answered.onCompletion(metadata, failure);
    }

    /// @param atMost for the records that are under way
    public void close(Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        sending.shutdown();
        try {
            if (!sending.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                sending.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
}
