package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.frame.End;
import dev.counterpoint.engine.GenerationRequest;

/// The result of making a job into a request to the engine.
sealed interface GenerationPlan {
    /// @param limitedByJob whether the job's own limit of tokens ends the output before the context does
    record Ready(GenerationRequest request, boolean limitedByJob) implements GenerationPlan {}

    /// No generation: the model produced this output in an earlier response.
    ///
    /// @param tokens the whole output, including the part from earlier attempts
    record Retold(int[] tokens) implements GenerationPlan {}

    /// The job cannot be run; its response ends at once.
    ///
    /// @param promptTokens 0 where the prompt could not be rendered
    record Refused(End.Finish finish, int promptTokens) implements GenerationPlan {}
}
