package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import java.util.ArrayList;
import java.util.List;

/// Pulls a generation to its end, as a worker does.
public record GenerationPull(List<Step.Token> steps, Step.Stopped stopped) {
    private static final int STEPS_MAX = 100_000;

    public static GenerationPull all(Engine engine, GenerationRequest request) throws InterruptedException {
        try (var generation = new PulledGeneration(engine, request)) {
            return all(generation);
        }
    }

    public static GenerationPull all(PulledGeneration generation) throws InterruptedException {
        var tokens = new ArrayList<Step.Token>();
        for (int i = 0; i < STEPS_MAX; i++) {
            switch (generation.next()) {
                case Step.Token token -> tokens.add(token);
                case Step.Stopped stopped -> {
                    return new GenerationPull(tokens, stopped);
                }
                case null -> {}
            }
        }
        throw new AssertionError("the generation does not end");
    }

    public int[] ids() {
        return steps.stream().mapToInt(Step.Token::id).toArray();
    }

    public StopReason reason() {
        return stopped.reason();
    }
}
