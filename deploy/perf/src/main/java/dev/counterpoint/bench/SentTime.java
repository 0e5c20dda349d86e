package dev.counterpoint.bench;

/// A token of the upstream: the time when it was sent, by the clock that all processes of this machine share
/// (`System.nanoTime`, CLOCK_MONOTONIC on Linux), and a blank.
final class SentTime {
    static final char END = ' ';

    private static final int RADIX = 36;

    private SentTime() {}

    static String token(long nanos) {
        return Long.toString(nanos, RADIX) + END;
    }

    /// @return the time, or -1 if the text is none
    static long parse(CharSequence text) {
        try {
            return text.isEmpty() ? -1 : Long.parseLong(text, 0, text.length(), RADIX);
        } catch (NumberFormatException other) {
            return -1;
        }
    }
}
