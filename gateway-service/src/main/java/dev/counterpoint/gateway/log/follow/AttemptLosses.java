package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.frame.FrameKind;

/// The attempts of a response that lost their worker, counted from its log alone, so that every owner counts the same.
///
/// @param current progress of the current attempt
/// @param crashes attempts whose worker died or hung after the fence and before the first token
/// @param unfenced attempts that no worker fenced, though two workers died with their ticket
public record AttemptLosses(Progress current, int crashes, int unfenced) {
    static final AttemptLosses NONE = new AttemptLosses(Progress.QUEUED, 0, 0);

    /// The second loss ends a response.
    private static final int LOSSES_MAX = 2;

    /// How far the current attempt has come.
    public enum Progress {
        QUEUED,
        FENCED,
        /// Its worker has brought a token.
        STREAMING
    }

    /// Takes the next frame that counts.
    ///
    /// @param givenUp whether the worker had handed the attempt over, or a frame of it was lost, before this frame
    AttemptLosses after(FrameKind frame, boolean givenUp) {
        return switch (frame) {
            case FENCE -> at(Progress.FENCED);
            case DELTA, SEALED_REASONING -> at(Progress.STREAMING);
            case REISSUE -> reissued(givenUp);
            case ACCEPTED, PROGRESS, HANDOVER, END, OWNER_END -> this;
            case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, STEER, UNKNOWN -> this;
        };
    }

    private AttemptLosses at(Progress progress) {
        return new AttemptLosses(progress, crashes, unfenced);
    }

    private AttemptLosses reissued(boolean givenUp) {
        return switch (current) {
            case QUEUED -> new AttemptLosses(Progress.QUEUED, crashes, unfenced + 1);
            case FENCED -> new AttemptLosses(Progress.QUEUED, givenUp ? crashes : crashes + 1, unfenced);
            case STREAMING -> at(Progress.QUEUED);
        };
    }

    /// True if the worker of the current attempt has brought a token.
    public boolean streaming() {
        return current == Progress.STREAMING;
    }

    /// True if the response ends when its worker is lost now.
    public boolean lastCrash() {
        return crashes + 1 >= LOSSES_MAX;
    }

    /// True if the response ends when its current ticket loses a second worker before a fence.
    public boolean lastUnfenced() {
        return unfenced + 1 >= LOSSES_MAX;
    }
}
