package dev.counterpoint.worker.job;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/// Reads stretches of the logs of responses. Thread-safe.
///
/// A partition holds the logs of many responses, one among the other. Who takes over from a dead worker needs the
/// same stretch of it for each of its responses, so what was read is kept until [#forget], up to a bound.
final class LogFetcher implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration READ_MAX = Duration.ofSeconds(10);

    private final Consumer<String, byte[]> consumer;
    private final long keptBytesMax;
    private final Map<TopicPartition, Stretch> stretches = new HashMap<>();
    /// Since [#forget].
    private long readBytes;
    /// More came than may be kept, so of others something is missing.
    private boolean full;

    /// @param keptBytesMax of the log; one response that is longer is read all the same, and not kept
    LogFetcher(Consumer<String, byte[]> consumer, long keptBytesMax) {
        this.consumer = consumer;
        this.keptBytesMax = keptBytesMax;
    }

    /// All that a partition holds from offset `first` up to, without, `next`.
    private static final class Stretch {
        private final long first;
        private final Map<String, List<ConsumerRecord<String, byte[]>>> records = new HashMap<>();
        private long next;

        private Stretch(long first) {
            this.first = first;
            this.next = first;
        }

        /// True if nothing is missing between this and what begins there.
        boolean reaches(long offset) {
            return first <= offset && offset <= next;
        }

        void add(ConsumerRecord<String, byte[]> entry) {
            records.computeIfAbsent(entry.key(), _ -> new ArrayList<>()).add(entry);
        }

        List<Frame> frames(String key, long from, long last) {
            var frames = new ArrayList<Frame>();
            for (var entry : records.getOrDefault(key, List.of())) {
                if (from <= entry.offset() && entry.offset() <= last) {
                    decode(entry, frames);
                }
            }
            return frames;
        }

        private static void decode(ConsumerRecord<String, byte[]> entry, List<Frame> frames) {
            try {
                frames.add(Frame.decode(entry));
            } catch (MalformedMessageException e) {
                // Void for every reader alike.
            }
        }
    }

    /// The response's frames from offset `first` to `last`, both included. Frames that nobody can read are left
    /// out, as every reader leaves them out.
    ///
    /// @throws KafkaException when the log cannot be read within some seconds
    synchronized List<Frame> fetch(ResponseId response, long first, long last) {
        var partition = new TopicPartition(Topic.FRAMES, response.partition());
        var key = response.toString();
        var stretch = stretches.get(partition);
        if (stretch == null || !stretch.reaches(first)) {
            stretch = new Stretch(first);
            stretches.put(partition, stretch);
        }
        try {
            read(partition, stretch, key, last);
        } catch (KafkaException e) {
            forget();
            throw e;
        }
        var frames = stretch.frames(key, first, last);
        if (full) {
            forget();
        }
        return frames;
    }

    private void read(TopicPartition partition, Stretch into, String key, long last) {
        if (into.next > last) {
            return;
        }
        consumer.assign(List.of(partition));
        consumer.seek(partition, into.next);
        long until = System.nanoTime() + READ_MAX.toNanos();
        while (into.next <= last) {
            if (System.nanoTime() > until) {
                throw new TimeoutException("the log was not read in time");
            }
            for (var entry : consumer.poll(POLL)) {
                readBytes += KafkaClients.body(entry).length;
                full |= readBytes > keptBytesMax;
                if (key.equals(entry.key()) || entry.key() != null && !full) {
                    into.add(entry);
                }
            }
            into.next = consumer.position(partition);
        }
    }

    /// Nothing is asked for again soon.
    synchronized void forget() {
        stretches.clear();
        readBytes = 0;
        full = false;
    }

    @Override
    public synchronized void close() {
        consumer.close();
    }
}
