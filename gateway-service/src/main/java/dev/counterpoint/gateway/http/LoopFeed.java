package dev.counterpoint.gateway.http;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// What waits for the reader of an [EventSource] whose output has begun, for an event loop that writes what is only
/// more of it as it comes: the beginning and the end need a thread of their own, the middle does not.
public interface LoopFeed {
    /// The reader's callback.
    ///
    /// @param loop event loop that runs it
    /// @param heard runs after new output was queued
    record Ear(Executor loop, Runnable heard) {}

    /// @param ear callback for later output, or null for none
    void tell(@Nullable Ear ear);

    /// True if something waits, and it is only more of the output: [EventSource#next] does not block then.
    boolean hasMore();

    /// True if nothing waits at all.
    boolean isEmpty();
}
