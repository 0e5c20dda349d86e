package dev.counterpoint.gateway.generation;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.http.LoopFeed;
import org.jspecify.annotations.Nullable;

/// Puts requests on the bus and brings back what the models say. Thread-safe.
public interface Generations {
    /// Names a response before anything is sent, so that its row can be written first, and keeps a place for it.
    /// [#start] or [#giveBack] follows.
    ///
    /// @param tenant id of the tenant that asks
    /// @param key id of its API key
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when this gateway owns no partition:
    ///     the bus or the database is not there yet
    /// @throws dev.counterpoint.servicekit.ProblemException 503 or 429 when there is no place, or
    ///     when jobs of the key crashed workers a moment ago
    ResponseId newResponse(String tenant, String key);

    /// Gives the place of a response back that was not started. No effect on one that was.
    void giveBack(ResponseId id);

    /// Appends frame 0, follows its log, and queues the job when it is its turn. Returns when the broker has frame 0.
    ///
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not take it;
    ///     nothing will run then
    /// @throws TooLargeException when it does not fit into one message
    Generation start(ResponseId id, Submission submission);

    /// Ends a response, whichever gateway owns it: appends the end and tells the worker to stop. What ended first in
    /// the log stays the end, so this has no effect after it. Returns when the broker has the end.
    ///
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not take it
    void cancel(ResponseId id);

    /// Appends what the user says while a response runs. It counts where an output says so ([ModelOutput.Steered]), and
    /// then [#stopAtSteer] follows. Returns when the broker has it.
    ///
    /// @param steer its name
    /// @param input for the next response
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not take it
    void steer(ResponseId id, String tenant, long steer, byte[] input);

    /// Lets the worker of a response know that its log holds a steer. Does not wait.
    void stopAtSteer(ResponseId id);

    /// Ends a response whose caller was told that nothing runs and whose frame 0 came into the log all the same; the
    /// log then says that it was not queued. The rest as of [#cancel].
    ///
    /// @throws dev.counterpoint.gateway.problem.BackendUnavailableException when the bus does not take it
    void withdraw(ResponseId id);

    /// One running response, for one reader.
    interface Generation {
        ResponseId id();

        /// Waits for the next output. After [ModelOutput.Finished] or [ModelOutput.Stopped] nothing follows.
        ///
        /// @param atMostMillis how long to wait
        /// @return null when nothing came in that time: a moment for a keep-alive
        @Nullable
        ModelOutput next(long atMostMillis) throws InterruptedException;

        /// True if the reader was so slow that outputs were dropped. [#next] goes on with them from the log; a reader
        /// with a slow client behind it leaves instead.
        default boolean fellBehind() {
            return false;
        }

        /// What waits for the reader; null where only a thread can take it.
        default @Nullable LoopFeed feed() {
            return null;
        }

        /// The reader is gone. Ends the response unless it outlives its client; has no effect after its end. Any
        /// thread, any number of times.
        void abandon();

        /// The reader has done what it had to, its row included: after a restart nobody need take this response
        /// up again. Every reader says so in the end.
        void settle();
    }

    /// The request does not fit into one message of the bus. Becomes a 413.
    final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public TooLargeException() {
            super("the request is larger than the bus carries");
        }
    }
}
