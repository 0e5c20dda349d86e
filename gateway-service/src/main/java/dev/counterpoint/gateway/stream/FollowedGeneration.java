package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import org.jspecify.annotations.Nullable;

/// A response as its reader sees it.
///
/// @param background whether it goes on without a client
record FollowedGeneration(ResponseId id, Expected expected, boolean background) implements Generations.Generation {
    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        return expected.mailbox().poll(atMostMillis);
    }

    /// The following loop appends the end: it knows whether there is one already, and the caller may be an event loop.
    @Override
    public void abandon() {
        if (!background) {
            expected.abandon();
        }
    }

    @Override
    public void settle() {
        expected.settle();
    }
}
