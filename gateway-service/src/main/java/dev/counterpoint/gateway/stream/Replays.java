package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import org.jspecify.annotations.Nullable;

/// Reads the log of a response again, from its first frame on, whichever gateway owns it. Thread-safe.
public interface Replays {
    /// @param atMostMillis how long to wait while as many replays run as there may be
    /// @throws BusyException when none of them ended in that time
    /// @throws GoneException when the log is not there any more
    /// @throws Generations.UnavailableException when the bus does not answer
    Replay open(ResponseId id, long atMostMillis) throws InterruptedException;

    /// Whether the bus has frame 0 of a response; no longer once the log is not kept any more. It may still come
    /// afterwards, so the answer no is final only for a response whose deadline has passed: whoever owns it ends it
    /// at once then.
    ///
    /// @param atMostMillis how long to wait while as many replays run as there may be
    /// @throws BusyException when none of them ended in that time
    /// @throws Generations.UnavailableException when the bus does not answer
    boolean accepted(ResponseId id, long atMostMillis) throws InterruptedException;

    /// What the log says to one reader, at the reader's pace: the log keeps what the reader has not asked for.
    interface Replay extends AutoCloseable {
        /// What frame 0 says.
        Accepted accepted();

        /// What the gateway that accepted the response wished to remember of the request.
        byte[] echo();

        /// Waits for the next output, the same and in the same order as for every other reader. After
        /// [ModelOutput.Finished] or [ModelOutput.Stopped] nothing follows.
        ///
        /// @return null when nothing came in that time, and after [#close] at once
        /// @throws GoneException when the reader was so slow that the log is gone
        @Nullable
        ModelOutput next(long atMostMillis) throws InterruptedException;

        /// Waits for nobody. Any thread, any number of times.
        @Override
        void close();
    }

    /// As many replays run as there may be; one ends when its reader leaves. Becomes a 503 with Retry-After.
    final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public BusyException() {
            super("too many replays");
        }
    }

    /// The time in which a response can be replayed is over.
    final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public GoneException() {
            super("the log is gone");
        }
    }
}
