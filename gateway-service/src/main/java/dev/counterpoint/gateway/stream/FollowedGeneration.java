package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.OwnerEnd;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A response as its reader sees it.
///
/// @param settle run when the reader is done with it
record FollowedGeneration(
        ResponseId id, Mailbox mailbox, Decisions decisions, Runnable settled, AtomicBoolean abandoned)
        implements Generations.Generation {
    FollowedGeneration(ResponseId id, Mailbox mailbox, Decisions decisions, Runnable settled) {
        this(id, mailbox, decisions, settled, new AtomicBoolean());
    }

    @Override
    public @Nullable ModelOutput next(long atMostMillis) throws InterruptedException {
        return mailbox.poll(atMostMillis);
    }

    @Override
    public void abandon() {
        if (abandoned.compareAndSet(false, true)) {
            // The producer may wait for the broker, and the caller may be an event loop.
            Thread.startVirtualThread(() -> decisions.end(id, 0, OwnerEnd.Reason.CANCELLED));
        }
    }

    @Override
    public void settle() {
        settled.run();
    }
}
