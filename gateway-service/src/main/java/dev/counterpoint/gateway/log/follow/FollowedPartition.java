package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/// A partition of `frames` as the following loop reads it, with a clock of its own. Confined to that loop, but for
/// [#answer] and [#position].
///
/// The clock counts those of this gateway's beats at which the partition was read to its end. So what is silent
/// by this clock is silent in the log: while a reader catches up, or a broker does not answer, it stands still.
public final class FollowedPartition {
    private final int number;
    private final AtomicReference<Question> question = new AtomicReference<>(new Question.None());
    private Owner owner = new Owner.Another(0);
    /// Responses of the stretch that need no owner any more.
    private Set<ResponseId> done = Set.of();
    /// Of the next record; all before it has been taken.
    private volatile long position;
    /// Time of the record that is being taken.
    private long millis;
    private long caughtUpAt;
    private long beats;
    private long askedAtBeat = -1;

    private sealed interface Owner {
        record Self() implements Owner {}

        record Another(long sinceNanos) implements Owner {}
    }

    /// The last question to the broker: where the partition ends.
    private sealed interface Question {
        record None() implements Question {}

        record Asked() implements Question {}

        record Answered(long end) implements Question {}
    }

    public FollowedPartition(int number) {
        this.number = number;
    }

    /// The part of the log that a new owner reads before it decides anything.
    ///
    /// @param from offset of the first frame to read
    /// @param end offset after the last frame that was there
    /// @param done responses in it that have ended, with all that is due on record
    public record Stretch(long from, long end, Set<ResponseId> done) {
        public Stretch {
            done = Set.copyOf(done);
        }

        /// One of which nobody has looked at the responses yet.
        public Stretch(long from, long end) {
            this(from, end, Set.of());
        }

        public boolean isEmpty() {
            return from >= end;
        }

        /// From where the former owner says, within what the log holds.
        public static Stretch of(long resume, long beginning, long end) {
            return new Stretch(Math.clamp(resume, beginning, end), end);
        }
    }

    /// Becomes this gateway's, which reads on from the beginning of the stretch.
    void takeUp(Stretch stretch) {
        owner = new Owner.Self();
        position = stretch.from();
        caughtUpAt = stretch.end();
        done = stretch.done();
    }

    /// True if the response needs no owner.
    boolean isDone(ResponseId response) {
        return done.contains(response);
    }

    /// Is another gateway's from now on.
    void letGo(long nowNanos) {
        owner = new Owner.Another(nowNanos);
    }

    /// A record of this time is taken next.
    void takes(long recordMillis) {
        millis = recordMillis;
    }

    /// Time of the record that is being taken.
    long millis() {
        return millis;
    }

    /// The record at this offset has been taken.
    void read(long offset) {
        position = offset + 1;
        if (caughtUp()) {
            done = Set.of();
        }
    }

    int number() {
        return number;
    }

    /// Any thread.
    long position() {
        return position;
    }

    boolean owned() {
        return owner instanceof Owner.Self;
    }

    /// True if it went to another gateway at least so long ago.
    boolean goneFor(long nanos, long nowNanos) {
        return owner instanceof Owner.Another(long since) && nowNanos - since >= nanos;
    }

    /// True if all has been read that was there when it became ours.
    boolean caughtUp() {
        return position >= caughtUpAt;
    }

    /// This partition's clock.
    long beats() {
        return beats;
    }

    /// True if the broker is to be asked where the partition ends: once for each of our beats, and one question
    /// at a time.
    boolean asks(long ownBeat) {
        if (ownBeat == askedAtBeat || !(question.get() instanceof Question.None)) {
            return false;
        }
        askedAtBeat = ownBeat;
        question.set(new Question.Asked());
        return true;
    }

    /// Takes the broker's answer. Any thread.
    void answer(long offset) {
        question.set(new Question.Answered(offset));
    }

    /// There is no answer. Any thread.
    void answerFailed() {
        question.set(new Question.None());
    }

    /// Lets the clock go on when what was asked for has been read.
    void tick() {
        if (question.get() instanceof Question.Answered(long end) && position >= end) {
            question.set(new Question.None());
            beats++;
        }
    }
}
