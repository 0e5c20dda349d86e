package dev.counterpoint.bench;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/// When the answers of one cell are asked for, in nanoseconds from its start: decided before, whatever the answers do
/// (open loop). The same for every target.
///
/// @param label how the table calls it
/// @param streams open ones that it aims at
/// @param pace of each answer
/// @param from when the measured time begins
/// @param until when it ends
record ArrivalSchedule(String label, int streams, Pace pace, long[] starts, long from, long until) {
    private static final long SEED = 21;
    private static final int BURSTS = 4;
    private static final Duration BETWEEN = Duration.ofMillis(500);

    /// So many a second that `streams` are open when each takes as long as the upstream speaks. Gaps vary by half.
    static ArrivalSchedule steady(int streams, Pace pace, Duration warm, Duration measured) {
        double gap = (double) pace.answer().toNanos() / streams;
        long until = warm.plus(measured).toNanos();
        var random = new SplittableRandom(SEED);
        var starts = LongStream.rangeClosed(0, (long) (until / gap))
                .map(number -> (long) (gap * (number + random.nextDouble(0.5))))
                .filter(start -> start < until)
                .toArray();
        return new ArrivalSchedule(Integer.toString(streams), streams, pace, starts, warm.toNanos(), until);
    }

    /// All of them within a moment, again when their answers have ended; the first time is not measured.
    static ArrivalSchedule bursts(int streams, Pace pace, Duration within) {
        long cycle = pace.answer().plus(BETWEEN).plus(within).toNanos();
        var starts = LongStream.range(0, (long) BURSTS * streams)
                .map(number -> number / streams * cycle + number % streams * within.toNanos() / streams)
                .toArray();
        var label = within.isZero() ? streams + " at once" : streams + " in %.1f s".formatted(within.toMillis() / 1e3);
        return new ArrivalSchedule(label, streams, pace, starts, cycle, BURSTS * cycle);
    }

    /// The measured time.
    double seconds() {
        return (until - from) / 1e9;
    }

    /// Tokens a second that the upstream says to the requests of the measured time.
    double offered() {
        return LongStream.of(starts).filter(this::isMeasured).count() * pace.tokens() / seconds();
    }

    boolean isMeasured(long start) {
        return start >= from && start < until;
    }
}
