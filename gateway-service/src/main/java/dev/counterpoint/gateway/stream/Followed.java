package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.wire.Unknown;
import java.util.concurrent.atomic.AtomicBoolean;

/// A response whose log this gateway follows. Confined to the following loop, but for the mailbox and `settled`.
final class Followed {
    final ResponseId id;
    final long offset;
    final Accepted accepted;
    final Mailbox mailbox;
    final ResponseReader reader;
    /// Our beat at which it last moved.
    private long movedAtBeat;
    /// Our beat at which the owner last acted on it; keeps it from acting twice on the same sight.
    private long decidedAtBeat = Long.MIN_VALUE;

    private final AtomicBoolean settled;

    Followed(Frame frame, long offset, Accepted accepted, FollowLoop.Expected expected, ResponseReader reader) {
        this.id = frame.response();
        this.offset = offset;
        this.accepted = accepted;
        this.mailbox = expected.mailbox();
        this.settled = expected.settled();
        this.reader = reader;
        reader.accept(frame);
    }

    void movedAt(long beat) {
        movedAtBeat = beat;
        decidedAtBeat = Long.MIN_VALUE;
    }

    void decidedAt(long beat) {
        decidedAtBeat = beat;
    }

    long beatsSinceMoved(long beat) {
        return beat - movedAtBeat;
    }

    /// A decision is appended and not read back yet; after a while it counts as lost.
    boolean awaitsDecision(long beat, int patienceBeats) {
        return decidedAtBeat != Long.MIN_VALUE && beat - decidedAtBeat < patienceBeats;
    }

    /// The reader has all it needs, its row included.
    void settle() {
        settled.set(true);
    }

    /// Whether its frames need not be read again after a restart.
    boolean done() {
        return settled.get() && reader.ended();
    }

    JobTicket ticket(int attempt) {
        return new JobTicket(
                id, offset, attempt, accepted.tenant(), accepted.rawReaders(), accepted.deadlineMillis(), Unknown.NONE);
    }
}
