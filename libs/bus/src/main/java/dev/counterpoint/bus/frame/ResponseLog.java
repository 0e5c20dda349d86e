package dev.counterpoint.bus.frame;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the frames of one response, in log order, into its valid sequence. Every reader of a log runs this and nothing
/// else, so all agree (design, "One log per response"):
///
/// * attempt 1 opens with the response, attempt n+1 with the first `REISSUE` of that number and no other;
/// * the first `FENCE` of the current attempt makes its worker the holder; later ones are void;
/// * frames of anybody but the holder are void; after a gap in the holder's `seq` all of its counted frames are;
/// * a `HANDOVER` counts until the next attempt opens: who was told to stop has nothing left to give up;
/// * the first valid end is the ending, and nothing after it counts but the rest of the summary;
/// * a summary's frames count place by place, the first at each, under the key of any worker that held the response;
///   a sentence only while its message is not summed up; none after the owner abandoned the summary or ended the
///   response.
///
/// Not thread-safe. Holds a few numbers, no frames.
public final class ResponseLog {
    private int attempt = 1;
    private boolean accepted;
    private boolean held;
    private boolean fenced;
    private long holder;
    private int nextSeq;
    private boolean broken;
    private boolean ended;
    private final Set<Long> holders = new HashSet<>();
    private int nextSummary;
    private int summedUp = -1;
    private boolean summaryClosed;

    /// What a frame is worth to a reader.
    public enum Verdict {
        /// It counts.
        VALID,
        /// It must be passed over, by every reader alike.
        VOID
    }

    /// Takes the next frame of the log.
    public Verdict accept(Frame frame) {
        return switch (frame.kind()) {
            case SUMMARY, SUMMARY_END -> summary(frame);
            case SUMMARY_ABANDONED -> abandoned();
            case ACCEPTED, REISSUE, FENCE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, OWNER_END, UNKNOWN ->
                ended ? Verdict.VOID : running(frame);
        };
    }

    private Verdict running(Frame frame) {
        return switch (frame.kind()) {
            case ACCEPTED -> accepted();
            case REISSUE -> reissue(frame);
            case FENCE -> fence(frame);
            case DELTA, SEALED_REASONING -> counted(frame);
            case PROGRESS -> verdict(isHolder(frame) && !broken);
            case HANDOVER -> verdict(isHolder(frame) && fenced);
            case END -> end(frame);
            case OWNER_END -> {
                ended = true;
                summaryClosed = true;
                yield Verdict.VALID;
            }
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> Verdict.VOID;
        };
    }

    private Verdict summary(Frame frame) {
        boolean late = frame.kind() == FrameKind.SUMMARY && frame.message() <= summedUp;
        boolean next = !summaryClosed && !late && frame.seq() == nextSummary && holders.contains(frame.nonce());
        if (next) {
            nextSummary++;
            summedUp = frame.kind() == FrameKind.SUMMARY_END ? Math.max(summedUp, frame.message()) : summedUp;
        }
        return verdict(next);
    }

    private Verdict abandoned() {
        boolean first = accepted && !summaryClosed;
        summaryClosed = true;
        return verdict(first);
    }

    /// Only the first: a second one could hand the reasoning to other readers.
    private Verdict accepted() {
        boolean first = !accepted && !held && attempt == 1;
        accepted = true;
        return verdict(first);
    }

    private Verdict reissue(Frame frame) {
        if (frame.attempt() != attempt + 1) {
            return Verdict.VOID;
        }
        attempt++;
        fenced = false;
        return Verdict.VALID;
    }

    /// Until the fence of the new attempt, the old holder goes on speaking.
    private Verdict fence(Frame frame) {
        if (frame.attempt() != attempt || fenced) {
            return Verdict.VOID;
        }
        fenced = true;
        held = true;
        holder = frame.nonce();
        holders.add(holder);
        nextSeq = 0;
        broken = false;
        return Verdict.VALID;
    }

    private Verdict counted(Frame frame) {
        if (!isHolder(frame)) {
            return Verdict.VOID;
        }
        broken |= frame.seq() != nextSeq;
        if (broken) {
            return Verdict.VOID;
        }
        nextSeq++;
        return Verdict.VALID;
    }

    private Verdict end(Frame frame) {
        ended = isHolder(frame) && !broken && frame.seq() == nextSeq;
        return verdict(ended);
    }

    private boolean isHolder(Frame frame) {
        return held && frame.nonce() == holder;
    }

    private static Verdict verdict(boolean valid) {
        return valid ? Verdict.VALID : Verdict.VOID;
    }

    /// The current attempt, from 1.
    public int attempt() {
        return attempt;
    }

    /// Whether a worker has fenced the current attempt.
    public boolean fenced() {
        return fenced;
    }

    /// Whether the current attempt's frames stopped counting: one was lost, so only a new attempt can go on.
    /// False again once that is open, so that nobody opens another for the same gap.
    public boolean broken() {
        return fenced && broken;
    }

    public boolean ended() {
        return ended;
    }

    /// The place of the next frame of the summary.
    public int nextSummary() {
        return nextSummary;
    }

    /// Whether `nonce` is the one whose frames count.
    public boolean isHeldBy(long nonce) {
        return held && holder == nonce && !ended;
    }

    /// The nonce of the holder, or null before the first fence.
    public @Nullable Long holder() {
        return held ? holder : null;
    }
}
