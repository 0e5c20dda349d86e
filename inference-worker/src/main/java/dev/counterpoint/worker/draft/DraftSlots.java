package dev.counterpoint.worker.draft;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The slots of the engine that drafts may take: those that jobs would not miss. Thread-safe.
public interface DraftSlots {
    /// Waits until such a slot is free.
    ///
    /// @return null when none was in time
    @Nullable
    DraftSlot tryAcquireSpare(Duration atMost) throws InterruptedException;

    /// One slot, until it is closed.
    interface DraftSlot extends AutoCloseable {
        /// The engine counts the draft from now on.
        void started();

        /// The draft's prompt is in the engine's memory.
        void firstToken();

        @Override
        void close();
    }
}
