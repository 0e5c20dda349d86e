package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.wire.Unknown;
import org.jspecify.annotations.Nullable;

/// A response whose log this gateway follows. Confined to the following loop, but for what its reader shares.
final class Followed {
    private static final long NEVER = Long.MIN_VALUE;

    final ResponseId id;
    final long offset;
    final Accepted accepted;
    final ResponseReader reader;
    final Expected expected;
    /// Our beat at which it last moved.
    private long movedAtBeat;
    /// Our beat at which the owner last acted on it; keeps it from acting twice on the same sight.
    private long decidedAtBeat = NEVER;

    /// @param offset of its frame 0
    /// @param expected what its reader, who may be there already, shares with us
    Followed(ResponseId id, long offset, Accepted accepted, Expected expected, ResponseReader reader) {
        this.id = id;
        this.offset = offset;
        this.accepted = accepted;
        this.expected = expected;
        this.reader = reader;
    }

    /// Takes the next frame of its log. Void frames are no sign of life, and only a decision that came back makes room
    /// for the next one.
    ///
    /// @return what it says, or null when it says nothing
    @Nullable
    ModelOutput accept(Frame frame, long beat) {
        if (!reader.counts(frame)) {
            return null;
        }
        movedAtBeat = beat;
        if (frame.kind() == FrameKind.REISSUE || frame.kind() == FrameKind.OWNER_END) {
            decidedAtBeat = NEVER;
        }
        return reader.read(frame);
    }

    /// Begins to wait anew.
    void waitFrom(long beat) {
        movedAtBeat = beat;
    }

    void decidedAt(long beat) {
        decidedAtBeat = beat;
    }

    long beatsSinceMoved(long beat) {
        return beat - movedAtBeat;
    }

    /// A decision is appended and not read back yet; after a while it counts as lost.
    boolean awaitsDecision(long beat, int patienceBeats) {
        return decidedAtBeat != NEVER && beat - decidedAtBeat < patienceBeats;
    }

    /// Whether its frames need not be read again after a restart.
    boolean done() {
        return expected.settled() && reader.ended();
    }

    JobTicket ticket(int attempt) {
        return new JobTicket(
                id, offset, attempt, accepted.tenant(), accepted.rawReaders(), accepted.deadlineMillis(), Unknown.NONE);
    }
}
