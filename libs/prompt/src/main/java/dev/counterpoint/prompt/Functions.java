package dev.counterpoint.prompt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.harmony.FunctionNames;

/// The functions of a job by the names that the model knows.
public final class Functions {
    private Functions() {}

    /// Of all that the job declares, whether it may call them or not.
    public static FunctionNames of(GenerationJob job) {
        return new FunctionNames(
                job.tools().stream().map(GenerationJob.FunctionTool::name).toList());
    }
}
