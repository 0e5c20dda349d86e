package dev.counterpoint.bus.frame;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the frames of one response, in log order, into its valid sequence. Every reader of a log runs this and
/// nothing else, so all agree on the rules:
///
/// * a frame that its [FrameCheck] does not know as genuine is void, and changes nothing;
/// * nothing counts before `ACCEPTED`;
/// * attempt 1 opens with the response, attempt n+1 with the first `REISSUE` of that number and no other;
/// * the first `FENCE` of the current attempt makes its worker the holder; later ones are void;
/// * frames of anybody but the holder are void; after a gap in the holder's `seq` all of its counted frames are;
///   one whose `seq` was there already is a copy that somebody appended, and makes no gap;
/// * a `HANDOVER` counts until the next attempt opens: who was told to stop has nothing left to give up;
/// * a `STEER` counts once by its `nonce`, under each holder of the response;
/// * the first valid end is the ending, and nothing after it counts but the rest of the summary;
/// * a summary's frames count place by place, the first at each, under the key of any worker that held the
///   response; a sentence only while its message is not summed up; none after the owner abandoned the summary or
///   ended the response.
///
/// The states that follow these rules are pure functions of the frames: [LogState] with [AttemptHolder], and
/// [SummaryState]. This class remembers the current ones: a few numbers, no frames. Not thread-safe.
public final class ResponseLog {
    private final FrameCheck check;
    private LogState state = new LogState.Running(1, new AttemptHolder.Unaccepted(), Set.of(), Set.of());
    private SummaryState summary = new SummaryState.Due(new SummaryState.Told(0, -1));

    /// @param check knows the frames of this response that were written by who may write them
    public ResponseLog(FrameCheck check) {
        this.check = check;
    }

    /// The worth of a frame to a reader.
    public enum Verdict {
        VALID,
        /// It must be passed over, by every reader alike.
        VOID
    }

    /// Takes the next frame of the log.
    public Verdict accept(Frame frame) {
        boolean tooEarly = run().holder() instanceof AttemptHolder.Unaccepted && frame.kind() != FrameKind.ACCEPTED;
        if (tooEarly || !check.genuine(frame)) {
            return Verdict.VOID;
        }
        return switch (frame.kind()) {
            case SUMMARY, SUMMARY_END -> run().holders().contains(frame.nonce()) ? ofSummary(frame) : Verdict.VOID;
            case SUMMARY_ABANDONED -> ofSummary(frame);
            case OWNER_END -> ended() ? Verdict.VOID : ofBoth(frame);
            case ACCEPTED, REISSUE, FENCE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, STEER, UNKNOWN ->
                ofAnswer(frame);
        };
    }

    private Verdict ofSummary(Frame frame) {
        boolean counts = summary.counts(frame);
        summary = summary.after(frame);
        return verdict(counts);
    }

    private Verdict ofAnswer(Frame frame) {
        boolean counts = state.counts(frame);
        state = state.after(frame);
        return verdict(counts);
    }

    private Verdict ofBoth(Frame frame) {
        summary = summary.after(frame);
        return ofAnswer(frame);
    }

    private static Verdict verdict(boolean counts) {
        return counts ? Verdict.VALID : Verdict.VOID;
    }

    private LogState.Running run() {
        return state.run();
    }

    /// The current attempt, from 1.
    public int attempt() {
        return run().attempt();
    }

    /// True when a worker has fenced the current attempt.
    public boolean fenced() {
        return run().holder() instanceof AttemptHolder.Fenced;
    }

    /// True when a frame of the current attempt was lost: its frames stopped counting, and only a new attempt can
    /// continue. False again once the new attempt is open, so that no owner opens another for the same gap.
    public boolean broken() {
        return run().holder() instanceof AttemptHolder.Gapped;
    }

    public boolean ended() {
        return state instanceof LogState.Ended;
    }

    /// The place of the next frame of the summary.
    public int nextSummary() {
        return summary.told().next();
    }

    public boolean isHeldBy(long nonce) {
        var holder = holder();
        return holder != null && holder == nonce && !ended();
    }

    /// The nonce of the holder, or null before the first fence.
    public @Nullable Long holder() {
        return run().holder().nonce();
    }
}
