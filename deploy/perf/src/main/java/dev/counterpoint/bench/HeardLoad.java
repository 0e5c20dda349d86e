package dev.counterpoint.bench;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/// What is heard in one cell. Thread-safe.
final class HeardLoad {
    private static final long NANOS_MAX = 600_000_000_000L;
    private static final int DIGITS = 3;

    private final ConcurrentHistogram firstText = new ConcurrentHistogram(NANOS_MAX, DIGITS);
    private final ConcurrentHistogram created = new ConcurrentHistogram(NANOS_MAX, DIGITS);
    private final ConcurrentHistogram transit = new ConcurrentHistogram(NANOS_MAX, DIGITS);
    private final LongAdder tokens = new LongAdder();
    private final LongAdder asked = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder unfinished = new LongAdder();
    private final LongAdder unsent = new LongAdder();
    private volatile boolean measuring;

    /// Whether tokens that come now count.
    void measuring(boolean now) {
        measuring = now;
    }

    void token(long nanos) {
        if (measuring) {
            tokens.increment();
            record(transit, nanos);
        }
    }

    void firstText(long nanos) {
        record(firstText, nanos);
    }

    void created(long nanos) {
        record(created, nanos);
    }

    private static void record(ConcurrentHistogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, NANOS_MAX));
    }

    void asked() {
        asked.increment();
    }

    void completed() {
        completed.increment();
    }

    void refused() {
        refused.increment();
    }

    void failed() {
        failed.increment();
    }

    void unfinished() {
        unfinished.increment();
    }

    void unsent() {
        unsent.increment();
    }

    long tokens() {
        return tokens.sum();
    }

    Endings endings() {
        return new Endings(asked.sum(), completed.sum(), refused.sum(), failed.sum(), unfinished.sum(), unsent.sum());
    }

    TimePercentiles firstTexts() {
        return TimePercentiles.of(firstText);
    }

    TimePercentiles createds() {
        return TimePercentiles.of(created);
    }

    TimePercentiles transits() {
        return TimePercentiles.of(transit);
    }
}
