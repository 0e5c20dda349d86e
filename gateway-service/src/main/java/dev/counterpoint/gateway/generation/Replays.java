package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads the log of a response again, from its first frame on, whichever gateway owns it. Thread-safe.
public interface Replays {
    /// Within this of its acceptance the frame 0 of a response is on the bus, or its gateway has given it up.
    Duration APPENDED_WITHIN = Duration.ofSeconds(15);

    /// @param atMostMillis how long to wait while as many replays run as there may be
    /// @throws BusyException when none of them ended in that time
    /// @throws GoneException when the log is not there any more
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not answer
    Replay open(ResponseId id, long atMostMillis) throws InterruptedException;

    /// The same for one use; the replay's place is given back where the use makes nothing of it.
    ///
    /// @param <T> what the use makes
    default <T> Optional<T> open(ResponseId id, long atMostMillis, Use<T> use) throws InterruptedException {
        var replay = open(id, atMostMillis);
        Optional<T> made = Optional.empty();
        try {
            made = use.of(replay);
            return made;
        } finally {
            if (made.isEmpty()) {
                replay.close();
            }
        }
    }

    /// Makes something of a replay.
    ///
    /// @param <T> what it makes
    @FunctionalInterface
    interface Use<T> {
        /// Empty where the replay is not to be read.
        Optional<T> of(Replay replay) throws InterruptedException;
    }

    /// The same for the gateway's own work. It has places that clients cannot take.
    default Replay complete(ResponseId id, long atMostMillis) throws InterruptedException {
        return open(id, atMostMillis);
    }

    /// True if the bus has frame 0 of a response; no longer once the log is not kept any more. It may still come
    /// afterwards, so the answer no is final only for a response whose deadline has passed: whoever owns it ends it
    /// at once then.
    ///
    /// @param atMostMillis how long to wait while as many replays run as there may be
    /// @throws BusyException when none of them ended in that time
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not answer
    boolean accepted(ResponseId id, long atMostMillis) throws InterruptedException;

    /// What happened to a response, read from all frames that the log has of it by now.
    ///
    /// @throws BusyException as of [#open]
    /// @throws GoneException when the log is not there any more
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not answer
    default ResponseStory story(ResponseId id) throws InterruptedException {
        throw new GoneException();
    }

    /// A response that somebody else runs, or has run, read from its log at the reader's pace: the log keeps what the
    /// reader has not asked for. It closes itself with the last output.
    interface Replay extends Generations.Generation, AutoCloseable {
        /// Frame 0.
        Accepted accepted();

        /// The plan that the gateway which accepted the response wished to remember.
        byte[] echo();

        /// As of every other reader, in the same order; null at once after [#close], and cancelled at once after
        /// [#abandon] or a failure.
        ///
        /// @throws GoneException when the reader was so slow that the log is gone
        @Override
        @Nullable
        ModelOutput next(long atMostMillis) throws InterruptedException;

        /// The reader is gone, which changes nothing for the response.
        @Override
        void abandon();

        /// True if the reader went before the end, so that it does not know how the response ended.
        boolean left();

        /// Whoever runs the response settles it.
        @Override
        default void settle() {}

        /// Gives the replay's place back. Waits for nobody. Any thread, any number of times.
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
