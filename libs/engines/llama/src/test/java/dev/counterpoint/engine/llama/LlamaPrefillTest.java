package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// A long prompt that joins is computed a chunk at a time, with a token of everybody else between two chunks.
@Timeout(120)
@EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
class LlamaPrefillTest {
    private static final int CHUNK = 50;
    private static final int CHUNKS = 10;

    @Test
    void whoGeneratesGetsATokenForEveryChunkOfALongPromptThatJoins() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var joined = new CountDownLatch(1);
        var said = new AtomicInteger();
        var saidAtTheEndOfThePrompt = new AtomicInteger();
        var options = new LlamaOptions(
                "made-up", GgufTestModel.file(), new LlamaOptions.Capacity(2, 640, 1280, CHUNK, 16), 1);
        try (var engine = LlamaEngine.open(TestLibrary.source(), options);
                // Given one that has said its first token and has room for 15 more that nobody reads
                var first = new PulledGeneration(engine, request(10, 40, counting(_ -> {
                    said.incrementAndGet();
                    begun.countDown();
                    await(joined);
                })))) {
            begun.await();
            // When
            var second = new PulledGeneration(
                    engine, request(CHUNK * CHUNKS, 1, counting(_ -> saidAtTheEndOfThePrompt.set(said.get()))));
            joined.countDown();
            GenerationPull.all(second);
            GenerationPull.all(first);
        }

        // Then
        assertThat(saidAtTheEndOfThePrompt.get()).isGreaterThanOrEqualTo(CHUNKS);
    }

    private static GenerationRequest request(int length, int maxTokens, TokenMask mask) {
        int[] prompt = IntStream.range(1000, 1000 + length).toArray();
        return new GenerationRequest(
                "test", prompt, new int[0], Sampling.GREEDY, maxTokens, Set.of(), mask, "salt " + length);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Allows everything and tells of each token, on the engine's thread.
    private static TokenMask counting(IntConsumer sampled) {
        return new TokenMask() {
            @Override
            public long @Nullable [] allowed() {
                return null;
            }

            @Override
            public void accept(int token) {
                sampled.accept(token);
            }
        };
    }
}
