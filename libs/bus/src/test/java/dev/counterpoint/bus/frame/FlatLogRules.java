package dev.counterpoint.bus.frame;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of a log, of every kind of frame, in one flat loop over plain fields: how [ResponseLog] was written
/// before its states were types. It checks that the states say the same.
final class FlatLogRules {
    int attempt = 1;
    boolean fenced;
    boolean ended;
    int nextSummary;
    private boolean accepted;
    private boolean held;
    private long holder;
    private int nextSeq;
    private boolean broken;
    private final Set<Long> holders = new HashSet<>();
    private final Set<Long> steers = new HashSet<>();
    private int summedUp = -1;
    private boolean summaryClosed;

    boolean accept(Frame frame) {
        if (!accepted && frame.kind() != FrameKind.ACCEPTED) {
            return false;
        }
        return switch (frame.kind()) {
            case SUMMARY, SUMMARY_END -> summary(frame);
            case SUMMARY_ABANDONED -> abandoned();
            case ACCEPTED,
                    REISSUE,
                    FENCE,
                    DELTA,
                    SEALED_REASONING,
                    PROGRESS,
                    HANDOVER,
                    END,
                    OWNER_END,
                    STEER,
                    UNKNOWN -> !ended && running(frame);
        };
    }

    private boolean running(Frame frame) {
        return switch (frame.kind()) {
            case ACCEPTED -> accepted();
            case REISSUE -> reissue(frame);
            case FENCE -> fence(frame);
            case DELTA, SEALED_REASONING -> counted(frame);
            case PROGRESS -> isHolder(frame) && !broken;
            case HANDOVER -> isHolder(frame) && fenced;
            case END -> end(frame);
            case OWNER_END -> {
                ended = true;
                summaryClosed = true;
                yield true;
            }
            case STEER -> accepted && steers.add(frame.nonce());
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> false;
        };
    }

    private boolean summary(Frame frame) {
        boolean late = frame.kind() == FrameKind.SUMMARY && frame.message() <= summedUp;
        boolean next = !summaryClosed && !late && frame.seq() == nextSummary && holders.contains(frame.nonce());
        if (next) {
            nextSummary++;
            summedUp = frame.kind() == FrameKind.SUMMARY_END ? Math.max(summedUp, frame.message()) : summedUp;
        }
        return next;
    }

    private boolean abandoned() {
        boolean first = !summaryClosed;
        summaryClosed = true;
        return first;
    }

    private boolean accepted() {
        boolean first = !accepted;
        accepted = true;
        return first;
    }

    private boolean reissue(Frame frame) {
        if (frame.attempt() != attempt + 1) {
            return false;
        }
        attempt++;
        fenced = false;
        return true;
    }

    private boolean fence(Frame frame) {
        if (frame.attempt() != attempt || fenced) {
            return false;
        }
        fenced = true;
        held = true;
        holder = frame.nonce();
        holders.add(holder);
        nextSeq = 0;
        broken = false;
        return true;
    }

    private boolean counted(Frame frame) {
        if (!isHolder(frame) || frame.seq() < nextSeq) {
            return false;
        }
        broken |= frame.seq() != nextSeq;
        if (broken) {
            return false;
        }
        nextSeq++;
        return true;
    }

    private boolean end(Frame frame) {
        ended = isHolder(frame) && !broken && frame.seq() == nextSeq;
        return ended;
    }

    private boolean isHolder(Frame frame) {
        return held && frame.nonce() == holder;
    }

    boolean broken() {
        return fenced && broken;
    }

    boolean isHeldBy(long nonce) {
        return held && holder == nonce && !ended;
    }

    int nextSeq() {
        return nextSeq;
    }

    @Nullable
    Long holder() {
        return held ? holder : null;
    }
}
