package dev.counterpoint.worker.take;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/// Reads the topic `frames` for all jobs with one consumer on one thread. Overlapping stretches of a partition are
/// read once, and one request covers several partitions. An unreadable partition does not delay others.
/// Thread-safe.
final class LogReads implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration READ_MAX = Duration.ofSeconds(10);
    private static final Duration ASK = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(100);

    private final Supplier<? extends Consumer<String, byte[]>> consumers;
    private final BlockingQueue<Read> asked = new LinkedBlockingQueue<>();
    /// Touched by the loop's thread only.
    private final Map<TopicPartition, PartitionReads> reading = new HashMap<>();

    private final Thread thread;
    private volatile boolean closed;

    /// The records of one response from one offset to another, both included.
    ///
    /// @param first offset, or with `sinceMillis` the time of the first record by the broker's clock
    /// @param last offset, or [#END]
    record Stretch(ResponseId response, long first, boolean sinceMillis, long last) {
        /// The last record that there is now.
        static final long END = Long.MAX_VALUE;

        static Stretch of(ResponseId response, long first, long last) {
            return new Stretch(response, first, false, last);
        }

        TopicPartition partition() {
            return new TopicPartition(Topic.FRAMES, response.partition());
        }
    }

    private static final class Read {
        private final Stretch stretch;
        private final String key;
        private final long until = System.nanoTime() + READ_MAX.toNanos();
        private final List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        private final CompletableFuture<List<ConsumerRecord<String, byte[]>>> done = new CompletableFuture<>();
        private long next;
        private long last;

        private Read(Stretch stretch) {
            this.stretch = stretch;
            key = stretch.response.toString();
            next = stretch.first;
            last = stretch.last;
        }

        private void take(ConsumerRecord<String, byte[]> entry) {
            if (next <= entry.offset() && entry.offset() <= last && key.equals(Frame.responseOf(entry))) {
                records.add(entry);
            }
        }

        /// @param position all before it was read
        /// @return whether this ended
        private boolean reached(long position) {
            next = Math.max(next, position);
            if (next > last) {
                done.complete(records);
            } else if (System.nanoTime() > until) {
                done.completeExceptionally(new TimeoutException("the log was not read in time"));
            }
            return done.isDone();
        }
    }

    private static final class PartitionReads {
        private final List<Read> reads = new ArrayList<>();
        /// Of the consumer; negative while it has none.
        private long position = -1;

        private void drop(Predicate<Read> ended) {
            reads.removeIf(ended);
        }
    }

    LogReads(Supplier<? extends Consumer<String, byte[]>> consumers) {
        this.consumers = consumers;
        thread = Thread.ofPlatform().name("log-reads").daemon().start(this::run);
    }

    /// Waits for the records of a stretch.
    ///
    /// @throws KafkaException when they cannot be read within some seconds, or are gone
    List<ConsumerRecord<String, byte[]>> read(Stretch stretch) throws InterruptedException {
        var read = new Read(stretch);
        asked.add(read);
        if (closed) {
            throw new KafkaException("closed");
        }
        try {
            return read.done.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
        }
    }

    private void run() {
        while (!closed) {
            try (var consumer = consumers.get()) {
                while (!closed) {
                    admit(consumer);
                    poll(consumer);
                }
            } catch (InterruptedException e) {
                break;
            } catch (RuntimeException e) {
                fail(e);
                pause();
            }
        }
        fail(new KafkaException("closed"));
    }

    private void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void fail(RuntimeException cause) {
        reading.values().forEach(each -> each.reads.forEach(read -> read.done.completeExceptionally(cause)));
        reading.clear();
        for (var read = asked.poll(); read != null; read = asked.poll()) {
            read.done.completeExceptionally(cause);
        }
    }

    private void admit(Consumer<String, byte[]> consumer) throws InterruptedException {
        for (var read = reading.isEmpty() ? asked.take() : asked.poll(); read != null; read = asked.poll()) {
            try {
                locate(read, consumer);
            } catch (KafkaException e) {
                read.done.completeExceptionally(e);
            }
            if (!read.reached(0)) {
                reading.computeIfAbsent(read.stretch.partition(), _ -> new PartitionReads())
                        .reads
                        .add(read);
            }
        }
        consumer.assign(reading.keySet());
        reading.forEach((partition, its) -> {
            long next = its.reads.stream().mapToLong(read -> read.next).min().orElseThrow();
            if (its.position != next) {
                consumer.seek(partition, next);
                its.position = next;
            }
        });
    }

    private static void locate(Read read, Consumer<String, byte[]> consumer) {
        var partition = read.stretch.partition();
        if (read.stretch.sinceMillis) {
            var found = consumer.offsetsForTimes(Map.of(partition, read.stretch.first), ASK)
                    .get(partition);
            read.next = found == null ? Long.MAX_VALUE : found.offset();
        }
        if (read.last == Stretch.END) {
            read.last = Objects.requireNonNull(
                            consumer.endOffsets(Set.of(partition), ASK).get(partition))
                    - 1;
        }
    }

    private void poll(Consumer<String, byte[]> consumer) {
        if (reading.isEmpty()) {
            return;
        }
        try {
            var records = consumer.poll(POLL);
            reading.forEach((partition, its) -> {
                for (var entry : records.records(partition)) {
                    its.reads.forEach(read -> read.take(entry));
                    its.position = entry.offset() + 1;
                }
                its.drop(read -> read.reached(its.position));
            });
        } catch (OffsetOutOfRangeException e) {
            e.partitions().stream()
                    .map(reading::get)
                    .filter(Objects::nonNull)
                    .forEach(its -> its.drop(read -> read.done.completeExceptionally(e)));
        }
        reading.values().removeIf(its -> its.reads.isEmpty());
        if (reading.isEmpty()) {
            consumer.assign(List.of()); // or it would fetch on
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
