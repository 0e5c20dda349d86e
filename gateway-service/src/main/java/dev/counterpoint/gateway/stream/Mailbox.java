package dev.counterpoint.gateway.stream;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Carries outputs from the one loop that follows the log to one reader. Bounded: a reader that falls behind loses its
/// place instead of the gateway its memory. Offering never blocks.
final class Mailbox {
    private final BlockingQueue<ModelOutput> queue;
    private volatile boolean overflowed;

    Mailbox(int capacity) {
        queue = new LinkedBlockingQueue<>(capacity);
    }

    /// Whether the reader is still in time.
    boolean offer(ModelOutput output) {
        if (!overflowed && !queue.offer(output)) {
            overflowed = true;
        }
        return !overflowed;
    }

    /// What was dropped cannot be read, so after an overflow the reader gets what came before it and then the
    /// exception.
    @Nullable
    ModelOutput poll(long atMostMillis) throws InterruptedException {
        var output = queue.poll();
        if (output == null && !overflowed) {
            output = queue.poll(atMostMillis, TimeUnit.MILLISECONDS);
        }
        if (output == null && overflowed) {
            // Nothing is offered any more, so this sees the last that came in between.
            output = queue.poll();
            if (output == null) {
                throw new Generations.LaggingReaderException();
            }
        }
        return output;
    }
}
