package dev.counterpoint.gateway.log;

import dev.counterpoint.gateway.generation.ModelOutput;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Carries outputs from the one loop that follows the log to one reader. The mailbox is bounded: a reader that falls
/// behind loses its place instead of the gateway its memory. Offering never blocks.
final class Mailbox {
    private final BlockingQueue<ModelOutput> queue;
    private volatile boolean overflowed;

    Mailbox(int capacity) {
        queue = new LinkedBlockingQueue<>(capacity);
    }

    /// True if the reader is still in time. After an overflow nothing more gets in, so that no output is missing in
    /// between.
    boolean offer(ModelOutput output) {
        if (!overflowed && !queue.offer(output)) {
            overflowed = true;
        }
        return !overflowed;
    }

    /// Waits for the next output; null when none came in that time, and at once when the mailbox is [#exhausted].
    @Nullable
    ModelOutput poll(long atMostMillis) throws InterruptedException {
        return overflowed ? queue.poll() : queue.poll(atMostMillis, TimeUnit.MILLISECONDS);
    }

    /// True if outputs were dropped and the reader has all that came before them.
    boolean exhausted() {
        return overflowed && queue.isEmpty();
    }
}
