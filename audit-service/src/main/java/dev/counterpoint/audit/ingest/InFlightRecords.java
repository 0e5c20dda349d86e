package dev.counterpoint.audit.ingest;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The records that were received and are not in the database yet. Thread-safe.
@ApplicationScoped
public class InFlightRecords {
    private final ConcurrentHashMap<Long, Long> timestamps = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /// One record in hand.
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /// @param timestampMillis when the record was appended, milliseconds since 1970
    Held hold(long timestampMillis) {
        long number = numbers.incrementAndGet();
        timestamps.put(number, timestampMillis);
        return () -> timestamps.remove(number);
    }

    /// When the oldest of them was appended, milliseconds since 1970; empty when there is none.
    public OptionalLong oldestMillis() {
        return timestamps.values().stream().mapToLong(Long::longValue).min();
    }
}
