package dev.counterpoint.worker.take;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Two connections to the log: one for stretches, one for single records. Not thread-safe.
final class LogReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration READ_MAX = Duration.ofSeconds(10);

    private final Sources sources;
    private @Nullable Consumer<String, byte[]> stretches;
    private @Nullable Consumer<String, byte[]> records;

    /// Where connections come from.
    ///
    /// @param stretches read much at a time
    /// @param records read one record, and little of what follows it
    record Sources(Supplier<Consumer<String, byte[]>> stretches, Supplier<Consumer<String, byte[]>> records) {}

    LogReader(Sources sources) {
        this.sources = sources;
    }

    /// Reads a stretch on up to an offset, itself included.
    ///
    /// @param key of the response of which nothing may be missing
    /// @throws org.apache.kafka.common.KafkaException when the log cannot be read within some seconds
    void read(TopicPartition partition, LogStretch stretch, long last, String key) {
        if (stretch.next() > last) {
            return;
        }
        var consumer = stretches == null ? sources.stretches.get() : stretches;
        stretches = consumer;
        consumer.assign(List.of(partition));
        consumer.seek(partition, stretch.next());
        long until = System.nanoTime() + READ_MAX.toNanos();
        while (stretch.next() <= last) {
            requireTime(until);
            consumer.poll(POLL).forEach(entry -> stretch.add(entry, key));
            stretch.readTo(consumer.position(partition));
        }
    }

    /// The record at one offset, if there is one.
    ///
    /// @throws org.apache.kafka.common.KafkaException as [#read]
    Optional<ConsumerRecord<String, byte[]>> record(TopicPartition partition, long offset) {
        var consumer = records == null ? sources.records.get() : records;
        records = consumer;
        consumer.assign(List.of(partition));
        consumer.seek(partition, offset);
        Optional<ConsumerRecord<String, byte[]>> found = Optional.empty();
        long until = System.nanoTime() + READ_MAX.toNanos();
        while (consumer.position(partition) <= offset) {
            requireTime(until);
            for (var entry : consumer.poll(POLL)) {
                if (entry.offset() == offset) {
                    found = Optional.of(entry);
                }
            }
        }
        consumer.assign(List.of()); // or it would fetch on
        return found;
    }

    private static void requireTime(long until) {
        if (System.nanoTime() > until) {
            throw new TimeoutException("the log was not read in time");
        }
    }

    @Override
    public void close() {
        if (stretches != null) {
            stretches.close();
        }
        if (records != null) {
            records.close();
        }
    }
}
