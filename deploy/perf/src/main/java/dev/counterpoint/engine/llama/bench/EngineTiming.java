package dev.counterpoint.engine.llama.bench;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.BareLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Some sequences that an engine says at once, each with a reader of its own.
final class EngineTiming {
    private final Engine engine;
    private final Sampling sampling;
    private final int tokens;
    private final Supplier<TokenMask> masks;

    /// @param tokens that each sequence says
    EngineTiming(Engine engine, Sampling sampling, int tokens, Supplier<TokenMask> masks) {
        this.engine = engine;
        this.sampling = sampling;
        this.tokens = tokens;
        this.masks = masks;
    }

    /// Tokens of all sequences a second, while all of them are saying something.
    double rate(int sequences, int promptTokens) throws InterruptedException, ExecutionException {
        var times = new ArrayList<long[]>();
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<long[]>>();
            for (int sequence = 0; sequence < sequences; sequence++) {
                int begin = BareLoop.promptOf(sequence);
                int[] prompt = IntStream.range(begin, begin + promptTokens).toArray();
                running.add(readers.submit(() -> say(prompt)));
            }
            for (var one : running) {
                times.add(one.get());
            }
        }
        long first = times.stream().mapToLong(each -> each[0]).max().orElseThrow();
        long last = times.stream().mapToLong(each -> each[tokens - 1]).min().orElseThrow();
        long said = times.stream()
                .flatMapToLong(Arrays::stream)
                .filter(time -> time > first && time <= last)
                .count();
        return said / ((last - first) / 1e9);
    }

    /// @return when each token came
    private long[] say(int[] prompt) throws InterruptedException {
        var request = new GenerationRequest(
                "bench", prompt, new int[0], sampling, tokens, Set.of(), masks.get(), "salt " + prompt[0]);
        var times = new long[tokens];
        try (PulledGeneration generation = new PulledGeneration(engine, request)) {
            int said = 0;
            while (said < tokens) {
                switch (generation.next()) {
                    case Step.Token _ -> times[said++] = System.nanoTime();
                    case Step.Stopped stopped -> throw new IllegalStateException("ended: " + stopped.reason());
                    case null, default -> {}
                }
            }
        }
        return times;
    }
}
