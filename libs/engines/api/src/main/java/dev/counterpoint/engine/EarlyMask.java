package dev.counterpoint.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Works the next set of tokens out as soon as the last token is known, on another thread, while the engine computes
/// its step. Whoever asks before that thread has begun does the work itself, so nobody waits for a queue; where the
/// queue is full, nothing is done early.
///
/// Not thread-safe, like every mask. What goes wrong beside the engine is thrown where the set is asked for.
public final class EarlyMask implements TokenMask {
    private static final int QUEUE_MAX = 1024;
    private static final int THREADS = Runtime.getRuntime().availableProcessors();
    /// The work of one set is bounded, so is that of all sequences together.
    private static final Executor BESIDE = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(QUEUE_MAX),
            Thread.ofPlatform().name("mask-", 0).daemon().factory(),
            new ThreadPoolExecutor.DiscardPolicy());

    private final TokenMask mask;
    private final Consumer<Duration> took;
    private @Nullable Work next;

    /// The work of one set: whoever claims it does it, once.
    private final class Work implements Runnable {
        private final AtomicBoolean claimed = new AtomicBoolean();
        private final CompletableFuture<Optional<long[]>> result = new CompletableFuture<>();

        boolean claim() {
            return claimed.compareAndSet(false, true);
        }

        @Override
        public void run() {
            if (claim()) {
                work();
            }
        }

        private void work() {
            long began = System.nanoTime();
            try {
                result.complete(Optional.ofNullable(mask.allowed()));
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
            took.accept(Duration.ofNanos(System.nanoTime() - began));
        }

        boolean ready(Duration patience) throws InterruptedException {
            if (claim()) {
                Thread.ofVirtual().name("mask").start(this::work);
            }
            try {
                result.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                return false;
            } catch (ExecutionException _) {
                // The call that asks for the set throws it.
            }
            return true;
        }

        long @Nullable [] join() {
            try {
                return result.join().orElse(null);
            } catch (CompletionException e) {
                throw new IllegalStateException("a mask failed", e.getCause());
            }
        }
    }

    /// @param mask fresh; from now on this one's own
    /// @param took hears how long each set took
    public EarlyMask(TokenMask mask, Consumer<Duration> took) {
        this.mask = mask;
        this.took = took;
    }

    @Override
    public boolean ready(Duration patience) throws InterruptedException {
        return next().ready(patience);
    }

    @Override
    public long @Nullable [] allowed() {
        var work = next();
        work.run();
        return work.join();
    }

    private Work next() {
        var work = next == null ? new Work() : next;
        next = work;
        return work;
    }

    @Override
    public void accept(int token) {
        settle();
        mask.accept(token);
        var work = new Work();
        next = work;
        BESIDE.execute(work);
    }

    @Override
    public int @Nullable [] ending() {
        settle();
        return mask.ending();
    }

    @Override
    public void cancel() {
        mask.cancel();
    }

    /// Nobody else is at the mask from here on: work that has not begun never will, other work is waited for.
    private void settle() {
        var work = next;
        next = null;
        if (work != null && !work.claim()) {
            work.join();
        }
    }
}
