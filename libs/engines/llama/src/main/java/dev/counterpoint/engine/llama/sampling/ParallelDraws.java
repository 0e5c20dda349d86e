package dev.counterpoint.engine.llama.sampling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Does the draws of a batch on a few threads: the caller's own and some that live as long as this. One thread at a
/// time may call.
public final class ParallelDraws implements AutoCloseable {
    private final Distribution[] distributions;
    private final ExecutorService helpers;

    /// A draw of one sequence. Draws of a batch share nothing, so the order in which they are done changes nothing.
    @FunctionalInterface
    public interface Draw {
        /// @param distribution memory of the thread that draws
        void with(Distribution distribution);
    }

    /// @param threads the caller's included
    public ParallelDraws(int threads, int vocabularySize) {
        distributions = new Distribution[threads];
        for (int i = 0; i < threads; i++) {
            distributions[i] = new Distribution(vocabularySize);
        }
        helpers = Executors.newFixedThreadPool(
                Math.max(1, threads - 1),
                Thread.ofPlatform().name("llama-draw-", 1).daemon().factory());
    }

    /// Does each of them once; returns when all are done, also when one of them throws.
    ///
    /// @throws IllegalStateException when one of them throws
    public void run(List<? extends Draw> draws) {
        if (draws.isEmpty()) {
            return;
        }
        var batch = new Batch(draws);
        // A single draw is handed to nobody.
        for (int helper = 1; helper < Math.min(distributions.length, draws.size()); helper++) {
            var distribution = distributions[helper];
            helpers.execute(() -> batch.help(distribution));
        }
        batch.help(distributions[0]);
        batch.await();
    }

    /// Ends the helpers.
    @Override
    public void close() {
        helpers.close();
    }

    /// A helper that comes too late finds nothing left, and touches neither the draws nor its distribution.
    private static final class Batch {
        private final List<? extends Draw> draws;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger left;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

        Batch(List<? extends Draw> draws) {
            this.draws = draws;
            this.left = new AtomicInteger(draws.size());
        }

        void help(Distribution distribution) {
            for (int i = next.getAndIncrement(); i < draws.size(); i = next.getAndIncrement()) {
                try {
                    draws.get(i).with(distribution);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
                if (left.decrementAndGet() == 0) {
                    done.complete(null);
                }
            }
        }

        void await() {
            done.join();
            var thrown = failure.get();
            if (thrown != null) {
                throw new IllegalStateException("a draw failed", thrown);
            }
        }
    }
}
