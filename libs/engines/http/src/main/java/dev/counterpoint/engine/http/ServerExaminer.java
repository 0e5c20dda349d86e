package dev.counterpoint.engine.http;

import org.jspecify.annotations.Nullable;

/// What an engine wants to know of its servers, besides whether they are well. Called from any thread, for one server
/// by one thread at a time.
public interface ServerExaminer {
    /// Looks at a server that says it is well, before its first request and whenever it comes back.
    ///
    /// @return why it cannot serve, for operators; null when it can
    @Nullable
    String objection(UpstreamClient client, UpstreamServer server) throws InterruptedException;

    /// Looks at a server that serves, after each good answer after its health.
    default void look(UpstreamClient client, UpstreamServer server) throws InterruptedException {
        // Nothing else is wanted.
    }
}
