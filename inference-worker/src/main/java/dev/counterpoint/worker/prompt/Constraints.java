package dev.counterpoint.worker.prompt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.worker.engine.TokenMask;
import java.util.List;
import java.util.Objects;

/// What a job lets the model say.
public final class Constraints {
    private Constraints() {}

    /// A fresh mask.
    public static TokenMask of(GenerationJob job) {
        var limit = job.reasoning().tokensMax();
        var names = Functions.of(job);
        boolean reasons = limit == null || limit > 0;
        var calls = switch (job.choice().mode()) {
            case AUTO, NONE -> TokenMask.ALL;
            case REQUIRED ->
                new ForcedCall(
                        job.tools().stream()
                                .map(tool -> names.recipient(tool.name()))
                                .toList(),
                        reasons);
            case FUNCTION ->
                new ForcedCall(
                        List.of(names.recipient(
                                Objects.requireNonNull(job.choice().name()))),
                        reasons);
        };
        return limit == null ? calls : new ReasoningLimit(limit, calls);
    }
}
