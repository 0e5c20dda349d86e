package dev.counterpoint.bus.frame;

import org.jspecify.annotations.Nullable;

/// The worker that speaks for the current attempt of a response. A state says which frames count in it, and which
/// state follows.
sealed interface AttemptHolder {
    default boolean counts(Frame frame) {
        return false;
    }

    /// The state after `frame`, which may count or not.
    default AttemptHolder after(Frame frame) {
        return this;
    }

    /// The state after the next attempt was opened.
    default AttemptHolder reissued() {
        return this;
    }

    /// The nonce whose frames count, or null before the first fence.
    default @Nullable Long nonce() {
        return null;
    }

    /// The response is not even accepted.
    record Unaccepted() implements AttemptHolder {
        @Override
        public boolean counts(Frame frame) {
            return frame.kind() == FrameKind.ACCEPTED;
        }

        @Override
        public AttemptHolder after(Frame frame) {
            return counts(frame) ? new Nobody() : this;
        }
    }

    /// No worker has held the response so far. A second `ACCEPTED` is void: it could hand the reasoning to other
    /// readers.
    record Nobody() implements AttemptHolder {}

    /// The holder of an earlier attempt. Its frames count until a worker fences the new attempt, but it has nothing
    /// left to give up.
    ///
    /// @param last its state as the holder of its own attempt
    record Former(Fenced last) implements AttemptHolder {
        @Override
        public boolean counts(Frame frame) {
            return frame.kind() != FrameKind.HANDOVER && last.counts(frame);
        }

        @Override
        public AttemptHolder after(Frame frame) {
            return new Former(last.after(frame));
        }

        @Override
        public Long nonce() {
            return last.nonce();
        }
    }

    sealed interface Fenced extends AttemptHolder {
        @Override
        Fenced after(Frame frame);

        @Override
        default AttemptHolder reissued() {
            return new Former(this);
        }

        @Override
        Long nonce();
    }

    /// None of the holder's frames is lost so far.
    ///
    /// @param next the `seq` of its next counted frame
    record Whole(Long nonce, int next) implements Fenced {
        @Override
        public boolean counts(Frame frame) {
            return switch (frame.kind()) {
                case DELTA, SEALED_REASONING, END -> nonce == frame.nonce() && frame.seq() == next;
                case PROGRESS, HANDOVER -> nonce == frame.nonce();
                case ACCEPTED, REISSUE, FENCE, OWNER_END, SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, STEER, UNKNOWN ->
                    false;
            };
        }

        @Override
        public Fenced after(Frame frame) {
            boolean counted = frame.kind() == FrameKind.DELTA || frame.kind() == FrameKind.SEALED_REASONING;
            if (!counted || nonce != frame.nonce() || frame.seq() < next) {
                return this;
            }
            return frame.seq() == next ? new Whole(nonce, next + 1) : new Gapped(nonce);
        }
    }

    /// A frame of the holder was lost. All that it can still do is to give the attempt up.
    record Gapped(Long nonce) implements Fenced {
        @Override
        public boolean counts(Frame frame) {
            return nonce == frame.nonce() && frame.kind() == FrameKind.HANDOVER;
        }

        @Override
        public Fenced after(Frame frame) {
            return this;
        }
    }
}
