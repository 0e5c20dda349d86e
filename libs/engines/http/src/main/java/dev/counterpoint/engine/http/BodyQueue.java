package dev.counterpoint.engine.http;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The body of an answer, handed over piece by piece: the next is asked for when the last was taken.
final class BodyQueue implements Flow.Subscriber<List<ByteBuffer>> {
    private static final long DRAIN_MILLIS_MAX = 1000;

    /// The next thing to take from the queue.
    sealed interface Arrival {}

    record Bytes(List<ByteBuffer> buffers) implements Arrival {}

    /// The body has ended.
    ///
    /// @param error null at its regular end
    record End(@Nullable Throwable error) implements Arrival {}

    /// Nothing came in time.
    record None() implements Arrival {}

    /// Holds one piece and the end at most.
    private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();

    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private volatile boolean draining;

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription.complete(begun);
        begun.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (!draining) {
            arrived.add(new Bytes(buffers));
        }
    }

    @Override
    public void onError(Throwable error) {
        arrived.add(new End(error));
    }

    @Override
    public void onComplete() {
        arrived.add(new End(null));
    }

    /// @param deadlineNanos as [System#nanoTime] has it
    Arrival next(long deadlineNanos) throws InterruptedException {
        var next = arrived.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (next instanceof Bytes) {
            subscription.thenAccept(begun -> begun.request(1));
        }
        return next == null ? new None() : next;
    }

    void drain() {
        draining = true;
        subscription.thenAccept(begun -> begun.request(Long.MAX_VALUE));
        CompletableFuture.delayedExecutor(DRAIN_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .execute(() -> subscription.thenAccept(Flow.Subscription::cancel));
    }

    /// Ends the connection, unless it is being drained.
    void cancel() {
        if (!draining) {
            subscription.thenAccept(Flow.Subscription::cancel);
        }
    }
}
