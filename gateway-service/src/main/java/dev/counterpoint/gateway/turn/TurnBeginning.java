package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.store.ResponseBeginnings.Begun;
import dev.counterpoint.gateway.store.ResponseBeginnings.Outcome;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The database's part of a turn's beginning, which may go on while frame 0 is appended. For one thread.
final class TurnBeginning {
    private final FutureTask<Begun> call;

    /// @param beside whether it goes on in a thread of its own
    TurnBeginning(ResponseId id, Callable<Begun> database, boolean beside) {
        call = new FutureTask<>(database);
        if (beside) {
            Thread.ofVirtual().name("begin-" + id).start(call);
        } else {
            call.run();
        }
    }

    /// Waits for the database.
    ///
    /// @throws RuntimeException as the call did
    Begun await() {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        }
    }

    /// The outcome; empty where nobody knows whether the database did anything.
    Optional<Outcome> outcome() {
        try {
            return Optional.of(await().outcome());
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }
}
