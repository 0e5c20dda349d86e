package dev.counterpoint.prompt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.harmony.FunctionNames;
import java.util.List;

/// The functions of a job by the names that the model knows.
public final class Functions {
    private Functions() {}

    /// Of those that the answer may call: what else it calls is not told as a call.
    public static FunctionNames callable(GenerationJob job) {
        return callable(job, of(job));
    }

    /// The same for a caller that has the names of all functions already.
    ///
    /// @param declared by [#of]
    public static FunctionNames callable(GenerationJob job, FunctionNames declared) {
        return job.choice().mode() == ToolChoice.Mode.NONE ? new FunctionNames(List.of()) : declared;
    }

    /// Of all that the job declares, whether it may call them or not.
    public static FunctionNames of(GenerationJob job) {
        return new FunctionNames(
                job.tools().stream().map(GenerationJob.FunctionTool::name).toList());
    }
}
