package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.http.LoopFeed;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Carries outputs from the one loop that follows the log to one reader. The mailbox is bounded: a reader
/// that falls behind loses its place instead of the gateway its memory. Offering never blocks.
///
/// An output counts once, and once more for each two log probabilities in it, which take about as much
/// memory.
public final class Mailbox implements LoopFeed {
    private final BlockingQueue<ModelOutput> queue = new LinkedBlockingQueue<>();
    private final AtomicInteger held = new AtomicInteger();
    private final int capacity;
    private volatile boolean overflowed;
    private volatile @Nullable Ear ear;

    public Mailbox(int capacity) {
        this.capacity = capacity;
    }

    /// True if the reader is still in time. After an overflow nothing more gets in, so that no output is
    /// missing in between.
    boolean offer(ModelOutput output) {
        int weight = weight(output);
        if (!overflowed && held.get() + weight > Math.max(capacity, weight)) {
            overflowed = true;
        }
        if (!overflowed) {
            held.addAndGet(weight);
            queue.add(output);
        }
        return !overflowed;
    }

    private static int weight(ModelOutput output) {
        int logprobs = 0;
        if (output instanceof ModelOutput.Passage passage) {
            for (var token : passage.delta().logprobs()) {
                logprobs += 1 + token.top().size();
            }
        }
        return 1 + logprobs / 2;
    }

    /// Waits for the next output; null when none came in that time, and at once when the mailbox is
    /// [#exhausted].
    @Nullable
    public ModelOutput poll(long atMostMillis) throws InterruptedException {
        var next = overflowed ? queue.poll() : queue.poll(atMostMillis, TimeUnit.MILLISECONDS);
        if (next != null) {
            held.addAndGet(-weight(next));
        }
        return next;
    }

    @Override
    public void tell(@Nullable Ear listening) {
        ear = listening;
    }

    /// The reader's callback; null while a thread waits in [#poll].
    @Nullable
    Ear ear() {
        return ear;
    }

    @Override
    public boolean hasMore() {
        var next = queue.peek();
        return next != null && !next.isLast();
    }

    @Override
    public boolean isEmpty() {
        return queue.isEmpty() && !overflowed;
    }

    /// True if outputs were dropped and the reader has all that came before them.
    public boolean exhausted() {
        return overflowed && queue.isEmpty();
    }
}
