package dev.counterpoint.bench;

import org.HdrHistogram.Histogram;

/// Milliseconds of a histogram of nanoseconds.
///
/// @param count values; with fewer than a thousand the p99.9 is the largest
record TimePercentiles(long count, double p50, double p99, double p999, double max) {
    private static final double NANOS = 1e6;

    static TimePercentiles of(Histogram nanos) {
        return new TimePercentiles(
                nanos.getTotalCount(),
                nanos.getValueAtPercentile(50) / NANOS,
                nanos.getValueAtPercentile(99) / NANOS,
                nanos.getValueAtPercentile(99.9) / NANOS,
                nanos.getMaxValue() / NANOS);
    }
}
