package dev.counterpoint.worker.take;

import dev.counterpoint.bus.kafka.KafkaClients;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// All that a partition holds from one offset up to, without, another. Not thread-safe.
final class LogStretch {
    private final long first;
    private final AtomicLong keptBytes;
    private final long keptBytesMax;
    private final Map<String, List<ConsumerRecord<String, byte[]>>> records = new HashMap<>();
    private long next;
    /// More came than may be kept, so of others than was asked for something is missing.
    private boolean full;

    /// @param keptBytes of all stretches
    LogStretch(long first, AtomicLong keptBytes, long keptBytesMax) {
        this.first = first;
        this.next = first;
        this.keptBytes = keptBytes;
        this.keptBytesMax = keptBytesMax;
    }

    /// True if nothing is missing between this and what begins there.
    boolean reaches(long offset) {
        return !full && first <= offset && offset <= next;
    }

    boolean full() {
        return full;
    }

    /// The offset of the next record to read.
    long next() {
        return next;
    }

    /// Takes what is read on from [#next].
    ///
    /// @param needed key of the response of which nothing may be missing
    void add(ConsumerRecord<String, byte[]> entry, String needed) {
        full |= keptBytes.addAndGet(KafkaClients.body(entry).length) > keptBytesMax;
        if (needed.equals(entry.key()) || entry.key() != null && !full) {
            records.computeIfAbsent(entry.key(), _ -> new ArrayList<>()).add(entry);
        }
    }

    /// All before this offset was read.
    void readTo(long offset) {
        next = offset;
    }

    /// The records of one response from one offset to another, both included.
    List<ConsumerRecord<String, byte[]>> records(String key, long from, long last) {
        return records.getOrDefault(key, List.of()).stream()
                .filter(entry -> from <= entry.offset() && entry.offset() <= last)
                .toList();
    }
}
