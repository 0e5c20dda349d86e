package dev.counterpoint.engine.http;

import dev.counterpoint.engine.http.ServerFailure.Kind;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The tries of one request that has brought nothing yet: which server is asked next, and when. Not
/// thread-safe.
final class Tries {
    /// A request is sent this often at most.
    static final int TRIES_MAX = 3;

    /// The pause before a busy server is asked again that did not say when; twice as long each time.
    private static final long PAUSE_MILLIS = 500;

    private final LoadBalancer servers;
    private final PromptPrefix prompt;
    private final long deadlineNanos;
    private final Set<UpstreamServer> tried = new HashSet<>();
    private @Nullable ServerFailure failure;
    private int tries;

    /// @param patience until when a busy server is waited for
    Tries(LoadBalancer servers, PromptPrefix prompt, Duration patience) {
        this.servers = servers;
        this.prompt = prompt;
        deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    /// Takes the server that is asked next; waits when all are busy.
    ///
    /// @throws ServerFailure the last one, when there is none
    UpstreamServer next() throws ServerFailure, InterruptedException {
        var server = servers.take(prompt, tried);
        if (server == null && failure != null && failure.kind() == Kind.BUSY) {
            pause(failure);
            server = servers.take(prompt, Set.of());
        } else if (server == null && failure != null && failure.kind() == Kind.CUT) {
            // It may have closed a connection of the pool in the very moment in which we used it.
            server = servers.take(prompt, Set.of());
        }
        if (server == null) {
            throw failure == null ? ServerFailure.wrong("all servers are left out") : failure;
        }
        tries++;
        return server;
    }

    /// @throws ServerFailure this one, when no further try may do
    void failed(UpstreamServer server, ServerFailure how) throws ServerFailure {
        if (tries == TRIES_MAX || !how.anotherMayDo()) {
            throw how;
        }
        tried.add(server);
        failure = how;
    }

    private void pause(ServerFailure busy) throws ServerFailure, InterruptedException {
        var asked = busy.retryAfter();
        long millis = asked == null ? PAUSE_MILLIS << tries : asked.toMillis();
        if (millis > TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime())) {
            throw busy;
        }
        Thread.sleep(millis);
    }
}
