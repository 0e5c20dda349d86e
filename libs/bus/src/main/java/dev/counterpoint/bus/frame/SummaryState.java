package dev.counterpoint.bus.frame;

/// The state of the summary of a response. It says which frames count in it, and which state follows. It does not ask
/// who wrote a frame: [ResponseLog] asks [LogState] for that.
sealed interface SummaryState {
    Told told();

    /// The summary may go on, beyond the end of the answer too.
    record Due(Told told) implements SummaryState {}

    /// An owner abandoned the summary or ended the response.
    record Closed(Told told) implements SummaryState {}

    /// The part of the summary that is written.
    ///
    /// @param next the place of its next frame
    /// @param summedUp the last message of the reasoning that is summed up; -1 for none
    record Told(int next, int summedUp) {
        boolean isNext(Frame frame) {
            boolean sentence = frame.kind() == FrameKind.SUMMARY && frame.message() > summedUp;
            return frame.seq() == next && (sentence || frame.kind() == FrameKind.SUMMARY_END);
        }

        Told after(Frame frame) {
            if (!isNext(frame)) {
                return this;
            }
            boolean ends = frame.kind() == FrameKind.SUMMARY_END;
            return new Told(next + 1, ends ? Math.max(summedUp, frame.message()) : summedUp);
        }
    }

    default boolean counts(Frame frame) {
        return switch (this) {
            case Due(Told told) -> frame.kind() == FrameKind.SUMMARY_ABANDONED || told.isNext(frame);
            case Closed _ -> false;
        };
    }

    /// The state after `frame`, which may count or not.
    default SummaryState after(Frame frame) {
        if (frame.kind() == FrameKind.SUMMARY_ABANDONED || frame.kind() == FrameKind.OWNER_END) {
            return new Closed(told());
        }
        return switch (this) {
            case Due(Told told) -> new Due(told.after(frame));
            case Closed _ -> this;
        };
    }
}
