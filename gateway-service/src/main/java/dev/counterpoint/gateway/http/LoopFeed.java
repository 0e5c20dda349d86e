package dev.counterpoint.gateway.http;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// What waits for the reader of an [EventSource] whose output has begun, for an event loop that writes what is only
/// more
/// of it as it comes: the beginning and the end need a thread of their own, the middle does not.
public interface LoopFeed {
    /// Whoever is to be told that something came.
    ///
    /// @param loop where it is told
    record Ear(Executor loop, Runnable heard) {}

    /// @param ear told from now on; null tells nobody
    void tell(@Nullable Ear ear);

    /// True if something waits, and it is only more of the output: [EventSource#next] does not block then.
    boolean hasMore();

    /// True if nothing waits at all.
    boolean isEmpty();
}
