package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.admission.JobRouting;
import dev.counterpoint.gateway.admission.PendingJob;
import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A response whose log this gateway follows. Confined to the following loop, but for what its reader shares. Beats
/// are those of its partition's clock.
public final class FollowedResponse {
    private static final long NEVER = Long.MIN_VALUE;

    public final ResponseId id;
    public final long offset;
    public final Accepted accepted;
    public final ResponseReader reader;
    public final ReaderHandle handle;
    private final ResponseOutputs outputs;
    private final OwnerTrace trace;
    private final StoryAssembler story;
    private final @Nullable ResponseClosing closing;
    /// The beat at which it last moved.
    private long movedAtBeat;
    /// The beat since which the answer waits for its summary.
    private long awaitsSummarySince = NEVER;
    /// The beat at which the owner last acted on it; keeps it from acting twice on the same sight.
    private long decidedAtBeat = NEVER;
    /// Offset of the last frame that was taken.
    private long takenAt = -1;
    /// Offset of the first frame after frame 0 that counts.
    private volatile long newsAt = NEVER;
    /// Incarnation of the gateway with whose death it ends; null when it depends on none but this one.
    private @Nullable String gateway;
    private AttemptLosses losses = AttemptLosses.NONE;

    /// @param offset of its frame 0
    /// @param trust that verified frame 0
    /// @param handle what its reader, who may be there already, shares with us
    public FollowedResponse(LogTrust trust, long offset, Accepted accepted, ReaderHandle handle) {
        id = trust.response();
        this.offset = offset;
        this.accepted = accepted;
        this.handle = handle;
        outputs = new ResponseOutputs(accepted, trust);
        reader = outputs.reader();
        trace = new OwnerTrace(accepted.audited());
        story = new StoryAssembler(accepted, outputs);
        closing = accepted.audited() ? new ResponseClosing(accepted) : null;
    }

    /// The offset before which nothing but frame 0 counts. Any thread.
    ///
    /// @param position consumer position read before the call
    long quietUntil(long position) {
        return newsAt == NEVER ? position : newsAt;
    }

    /// True if the frame at this offset is still to be taken. A partition that comes back is read again in part.
    public boolean isNews(long at) {
        boolean news = at > takenAt;
        takenAt = Math.max(takenAt, at);
        return news;
    }

    /// Its client waits at another gateway.
    public void dependOnGateway(String incarnation) {
        gateway = incarnation;
    }

    @Nullable
    public String gateway() {
        return gateway;
    }

    /// Takes the next frame of its log. Void frames are no sign of life, and only a decision that came back makes
    /// room for the next one.
    ///
    /// @return what is to be told now, in order
    public List<ModelOutput> accept(Frame frame, long beat) {
        return accept(frame, beat, 0);
    }

    /// As above.
    ///
    /// @param millis time of the frame's record
    List<ModelOutput> accept(Frame frame, long beat, long millis) {
        boolean givenUp = reader.givenUp();
        if (!reader.counts(frame)) {
            story.ignored(frame);
            return List.of();
        }
        losses = losses.after(frame.kind(), givenUp);
        if (newsAt == NEVER && frame.kind() != FrameKind.ACCEPTED) {
            newsAt = takenAt;
        }
        movedAtBeat = frame.kind() == FrameKind.STEER ? movedAtBeat : beat;
        trace.accept(frame, takenAt);
        switch (frame.kind()) {
            case REISSUE, OWNER_END, SUMMARY_ABANDONED -> decidedAtBeat = NEVER;
            case ACCEPTED, FENCE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END -> {}
            case SUMMARY, SUMMARY_END, STEER, UNKNOWN -> {}
        }
        var told = outputs.read(frame);
        story.counted(frame, millis);
        told.forEach(story::accept);
        if (closing != null) {
            told.forEach(closing::accept);
        }
        if (!awaitsSummary()) {
            awaitsSummarySince = NEVER;
        } else if (awaitsSummarySince == NEVER) {
            awaitsSummarySince = beat;
        }
        return told;
    }

    /// The attempts that lost their worker.
    public AttemptLosses losses() {
        return losses;
    }

    /// True if the answer waits for a summary.
    public boolean awaitsSummary() {
        return outputs.awaitsSummary();
    }

    /// The time that the answer has waited for a summary, in our beats; 0 when it does not wait.
    public long beatsAwaitingSummary(long beat) {
        return awaitsSummarySince == NEVER ? 0 : beat - awaitsSummarySince;
    }

    /// Begins to wait anew.
    public void waitFrom(long beat) {
        movedAtBeat = beat;
    }

    public void decidedAt(long beat) {
        decidedAtBeat = beat;
    }

    public long beatsSinceMoved(long beat) {
        return beat - movedAtBeat;
    }

    /// A decision is appended and not read back yet; after a while it counts as lost.
    public boolean awaitsDecision(long beat, int patienceBeats) {
        return decidedAtBeat != NEVER && beat - decidedAtBeat < patienceBeats;
    }

    /// True if its frames need not be read again after a restart.
    public boolean done() {
        return handle.settled() && reader.ended() && !trace.pending() && (closing == null || closing.kept());
    }

    /// True if the reader here needs the response no more. On another owner's partition nothing else is left to us.
    boolean doneForReader() {
        return handle.settled() && (reader.ended() || !handle.abandoned());
    }

    /// The trace that the audit service gets of a response that its owner ended.
    public OwnerTrace trace() {
        return trace;
    }

    /// What the audit service learns of the end; null for a response that is not opted in.
    public @Nullable ResponseClosing closing() {
        return closing;
    }

    /// Its owner sends its ticket again.
    public void resent() {
        story.resent();
    }

    /// What has happened so far.
    StoryAssembler story() {
        return story;
    }

    public PendingJob job(int attempt) {
        var routing = new JobRouting(accepted.model(), accepted.band(), id.low(), reader.worker());
        return new PendingJob(ticket(attempt), routing, ticket -> ticket.readFrom(handle.quietUntil()), handle.spans());
    }

    /// A ticket of an owner: another one of the response may be under way.
    public JobTicket ticket(int attempt) {
        return JobTicket.of(id, offset, attempt, accepted).again(offset);
    }
}
