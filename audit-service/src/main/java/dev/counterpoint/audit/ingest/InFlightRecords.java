package dev.counterpoint.audit.ingest;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// The records that were received and are not committed yet. Thread-safe.
@ApplicationScoped
public class InFlightRecords {
    private final ConcurrentHashMap<Long, Long> timestamps = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /// One received record; closed once the record is committed.
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /// @param timestampMillis the time when the record was appended, milliseconds since 1970
    Held hold(long timestampMillis) {
        long number = numbers.incrementAndGet();
        timestamps.put(number, timestampMillis);
        return () -> timestamps.remove(number);
    }

    /// The time when the oldest record was appended, milliseconds since 1970; empty when no record is in flight.
    public OptionalLong oldestMillis() {
        return timestamps.values().stream().mapToLong(Long::longValue).min();
    }
}
