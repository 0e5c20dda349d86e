package dev.counterpoint.engine.llama.sampling;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Does the draws of a batch on a few threads that live as long as this. One thread at a time may call.
public final class ParallelDraws implements AutoCloseable {
    private final ThreadLocal<Distribution> memory;
    private final ExecutorService executor;

    /// A draw of one sequence. Draws of a batch share nothing, so the order in which they are done changes nothing.
    @FunctionalInterface
    public interface Draw {
        /// @param distribution memory of the thread that draws
        void with(Distribution distribution);
    }

    public ParallelDraws(int threads, int vocabularySize) {
        memory = ThreadLocal.withInitial(() -> new Distribution(vocabularySize));
        executor = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name("llama-draw-", 1).daemon().factory());
    }

    /// Does each of them once; returns when all are done, also when one of them throws. A single one is done here.
    ///
    /// @throws java.util.concurrent.CompletionException when one of several throws
    public void run(List<? extends Draw> draws) {
        if (draws.size() == 1) {
            draws.getFirst().with(memory.get());
            return;
        }
        CompletableFuture.allOf(draws.stream()
                        .map(draw -> CompletableFuture.runAsync(() -> draw.with(memory.get()), executor))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /// Ends the threads.
    @Override
    public void close() {
        executor.close();
    }
}
