package dev.counterpoint.gateway.stream;

import java.util.concurrent.atomic.AtomicLong;

/// A partition of `frames` as the following loop reads it, with a clock of its own. Confined to that loop, but for
/// [#answer].
///
/// The clock counts those of this gateway's beats at which the partition was read to its end. So what is silent
/// by this clock is silent in the log: while a reader catches up, or a broker does not answer, it stands still.
final class FollowedPartition {
    private static final long NO_ANSWER = -1;
    private static final long FAILED = -2;

    private final int number;
    private final AtomicLong end = new AtomicLong(NO_ANSWER);
    private long position;
    private long caughtUpAt;
    private boolean owned;
    private long letGoAtNanos;
    private long beats;
    private long askedAtBeat = -1;
    private boolean asked;

    FollowedPartition(int number) {
        this.number = number;
    }

    /// What a new owner reads before it decides anything.
    ///
    /// @param from offset of the first frame to read
    /// @param end offset after the last frame that was there
    record Stretch(long from, long end) {
        /// From where the former owner says, within what the log holds.
        static Stretch of(long resume, long beginning, long end) {
            return new Stretch(Math.clamp(resume, beginning, end), end);
        }
    }

    /// Becomes this gateway's, which reads on from the beginning of the stretch.
    void takeUp(Stretch stretch) {
        owned = true;
        position = stretch.from();
        caughtUpAt = stretch.end();
    }

    /// Is another gateway's from now on.
    void letGo(long nowNanos) {
        owned = false;
        letGoAtNanos = nowNanos;
    }

    void read(long offset) {
        position = offset + 1;
    }

    int number() {
        return number;
    }

    long position() {
        return position;
    }

    boolean owned() {
        return owned;
    }

    /// Whether it went to another gateway at least so long ago.
    boolean goneFor(long nanos, long nowNanos) {
        return !owned && nowNanos - letGoAtNanos >= nanos;
    }

    /// Whether all has been read that was there when it became ours.
    boolean caughtUp() {
        return position >= caughtUpAt;
    }

    /// This partition's clock.
    long beats() {
        return beats;
    }

    /// Whether the broker is to be asked where the partition ends: once for each of our beats, and one question
    /// at a time.
    boolean asks(long ownBeat) {
        if (asked || ownBeat == askedAtBeat) {
            return false;
        }
        asked = true;
        askedAtBeat = ownBeat;
        end.set(NO_ANSWER);
        return true;
    }

    /// Takes the broker's answer. Any thread.
    void answer(long offset) {
        end.set(offset);
    }

    /// There is no answer. Any thread.
    void answerFailed() {
        end.set(FAILED);
    }

    /// Lets the clock go on when what was asked for has been read.
    void tick() {
        long answer = end.get();
        if (!asked || answer == NO_ANSWER) {
            return;
        }
        if (answer == FAILED) {
            asked = false;
        } else if (position >= answer) {
            asked = false;
            beats++;
        }
    }
}
