package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.List;
import java.util.Objects;

/// The mask that a job puts on the model's output.
public final class Constraints {
    private Constraints() {}

    /// A fresh mask for one generation. An engine that obeys every mask cannot sample the name of a function that
    /// was not declared; of others the output's composer keeps such calls to itself.
    ///
    /// @param names of the functions that the job declares
    public static TokenMask of(GenerationJob job, FunctionNames names, EngineDescription engine) {
        if (engine.can(EngineDescription.Ability.MESSAGES)) {
            // It is told of calls and reasoning in its own words.
            return TokenMask.ALL;
        }
        var limit = job.reasoning().tokensMax();
        boolean reasons = limit == null || limit > 0;
        var declared =
                job.tools().stream().map(tool -> names.recipient(tool.name())).toList();
        boolean everyMask = engine.can(EngineDescription.Ability.MASKS);
        var calls = switch (job.choice().mode()) {
            case AUTO -> everyMask ? new RecipientMask(declared) : TokenMask.ALL;
            case NONE -> everyMask ? new RecipientMask(List.of()) : TokenMask.ALL;
            case REQUIRED -> new ForcedCallMask(declared, reasons);
            case FUNCTION ->
                new ForcedCallMask(
                        List.of(names.recipient(
                                Objects.requireNonNull(job.choice().name()))),
                        reasons);
        };
        return limit == null ? calls : new ReasoningLimitMask(limit, calls);
    }
}
