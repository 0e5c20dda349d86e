package dev.counterpoint.local.e2e;

import java.util.stream.LongStream;

/// Figures of a run that are printed, and decide nothing.
final class Percentile {
    private Percentile() {}

    /// The smallest value that is not below `percent` of them, by nearest rank.
    ///
    /// @param values at least one
    /// @param percent from 1 to 100
    static long of(LongStream values, int percent) {
        var sorted = values.sorted().toArray();
        return sorted[Math.max(0, Math.ceilDiv(sorted.length * percent, 100) - 1)];
    }
}
