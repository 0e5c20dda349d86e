package dev.counterpoint.bus.frame;

/// The state of the summary of a response. A state says which frames count in it, and which state follows. It does not
/// ask who wrote a frame: [ResponseLog] asks [LogState] for that.
sealed interface SummaryState {
    /// Before the first frame.
    SummaryState START = new Early(new Told(0, -1));

    Told told();

    /// True when `frame` counts.
    boolean counts(Frame frame);

    /// The state after `frame`, which may count or not.
    SummaryState after(Frame frame);

    /// The part of the summary that is written.
    ///
    /// @param next the place of its next frame
    /// @param summedUp the last message of the reasoning that is summed up; -1 for none
    record Told(int next, int summedUp) {
        boolean isNext(Frame frame) {
            boolean late = frame.kind() == FrameKind.SUMMARY && frame.message() <= summedUp;
            boolean tells = frame.kind() == FrameKind.SUMMARY || frame.kind() == FrameKind.SUMMARY_END;
            return tells && !late && frame.seq() == next;
        }

        Told after(Frame frame) {
            if (!isNext(frame)) {
                return this;
            }
            boolean ends = frame.kind() == FrameKind.SUMMARY_END;
            return new Told(next + 1, ends ? Math.max(summedUp, frame.message()) : summedUp);
        }
    }

    /// Before the response is accepted: nothing can be abandoned yet.
    record Early(Told told) implements SummaryState {
        @Override
        public boolean counts(Frame frame) {
            return told.isNext(frame);
        }

        @Override
        public SummaryState after(Frame frame) {
            return switch (frame.kind()) {
                case ACCEPTED -> new Due(told);
                case SUMMARY_ABANDONED, OWNER_END -> new Closed(told);
                case REISSUE, FENCE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY, SUMMARY_END, UNKNOWN -> new Early(told.after(frame));
            };
        }
    }

    /// The summary may go on, beyond the end of the answer too.
    record Due(Told told) implements SummaryState {
        @Override
        public boolean counts(Frame frame) {
            return frame.kind() == FrameKind.SUMMARY_ABANDONED || told.isNext(frame);
        }

        @Override
        public SummaryState after(Frame frame) {
            return switch (frame.kind()) {
                case SUMMARY_ABANDONED, OWNER_END -> new Closed(told);
                case ACCEPTED, REISSUE, FENCE, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY, SUMMARY_END, UNKNOWN -> new Due(told.after(frame));
            };
        }
    }

    /// An owner abandoned the summary or ended the response.
    record Closed(Told told) implements SummaryState {
        @Override
        public boolean counts(Frame frame) {
            return false;
        }

        @Override
        public SummaryState after(Frame frame) {
            return this;
        }
    }
}
