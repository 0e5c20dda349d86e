package dev.counterpoint.bus.frame;

import dev.counterpoint.bus.frame.AttemptHolder.Fenced;
import java.util.HashSet;
import java.util.Set;

/// The state of a response, its summary aside. A state says which frames count in it, and which state follows.
sealed interface LogState {
    boolean counts(Frame frame);

    /// The state after `frame`, which may count or not.
    LogState after(Frame frame);

    /// The state before the end, or this one.
    Running run();

    /// The response has no ending yet.
    ///
    /// @param attempt the current one, from 1
    /// @param holders nonces of all workers that held the response
    record Running(int attempt, AttemptHolder holder, Set<Long> holders) implements LogState {
        @Override
        public boolean counts(Frame frame) {
            return switch (frame.kind()) {
                case REISSUE -> frame.attempt() == attempt + 1;
                case FENCE -> frame.attempt() == attempt && !(holder instanceof Fenced);
                case OWNER_END -> true;
                case ACCEPTED, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END -> holder.counts(frame);
                case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> false;
            };
        }

        @Override
        public LogState after(Frame frame) {
            return switch (frame.kind()) {
                case REISSUE -> counts(frame) ? new Running(attempt + 1, holder.reissued(), holders) : this;
                case FENCE -> counts(frame) ? fenced(frame.nonce()) : this;
                case END, OWNER_END -> counts(frame) ? new Ended(this) : this;
                case ACCEPTED, DELTA, SEALED_REASONING -> new Running(attempt, holder.after(frame), holders);
                case PROGRESS, HANDOVER, SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> this;
            };
        }

        private Running fenced(long nonce) {
            var all = new HashSet<>(holders);
            all.add(nonce);
            return new Running(attempt, new AttemptHolder.Whole(nonce, 0), all);
        }

        @Override
        public Running run() {
            return this;
        }
    }

    /// The first valid end stands in the log. Nothing counts after it but the rest of the summary.
    record Ended(Running run) implements LogState {
        @Override
        public boolean counts(Frame frame) {
            return false;
        }

        @Override
        public LogState after(Frame frame) {
            return this;
        }
    }
}
