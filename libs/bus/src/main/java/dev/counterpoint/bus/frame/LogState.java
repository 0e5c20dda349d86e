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
    /// @param steers names of the steers that count
    record Running(int attempt, AttemptHolder holder, Set<Long> holders, Set<Long> steers) implements LogState {
        @Override
        public boolean counts(Frame frame) {
            return switch (frame.kind()) {
                case REISSUE -> frame.attempt() == attempt + 1;
                case FENCE -> frame.attempt() == attempt && !(holder instanceof Fenced);
                case OWNER_END -> true;
                case STEER -> !(holder instanceof AttemptHolder.Unaccepted) && !steers.contains(frame.nonce());
                case ACCEPTED, DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END -> holder.counts(frame);
                case SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> false;
            };
        }

        @Override
        public LogState after(Frame frame) {
            return switch (frame.kind()) {
                case REISSUE -> counts(frame) ? new Running(attempt + 1, holder.reissued(), holders, steers) : this;
                case FENCE -> counts(frame) ? fenced(frame.nonce()) : this;
                case END, OWNER_END -> counts(frame) ? new Ended(this) : this;
                case ACCEPTED, DELTA, SEALED_REASONING -> new Running(attempt, holder.after(frame), holders, steers);
                case STEER -> counts(frame) ? new Running(attempt, holder, holders, with(steers, frame.nonce())) : this;
                case PROGRESS, HANDOVER, SUMMARY, SUMMARY_END, SUMMARY_ABANDONED, UNKNOWN -> this;
            };
        }

        private Running fenced(long nonce) {
            return new Running(attempt, new AttemptHolder.Whole(nonce, 0), with(holders, nonce), steers);
        }

        private static Set<Long> with(Set<Long> nonces, long nonce) {
            var all = new HashSet<>(nonces);
            all.add(nonce);
            return all;
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
