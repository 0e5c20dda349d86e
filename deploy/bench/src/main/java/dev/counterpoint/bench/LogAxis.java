package dev.counterpoint.bench;

import java.util.stream.IntStream;

/// A logarithmic axis from one power of ten to another.
///
/// @param length in the picture
record LogAxis(int from, int to, int length) {
    /// Wide enough for both.
    static LogAxis of(double least, double most, int length) {
        int from = (int) Math.floor(Math.log10(least));
        return new LogAxis(from, Math.max(from + 1, (int) Math.ceil(Math.log10(most))), length);
    }

    double place(double value) {
        return (Math.log10(value) - from) / (to - from) * length;
    }

    /// Its powers of ten.
    double[] ticks() {
        return IntStream.rangeClosed(from, to)
                .mapToDouble(power -> power < 0 ? 1 / Math.pow(10, -power) : Math.pow(10, power))
                .toArray();
    }
}
