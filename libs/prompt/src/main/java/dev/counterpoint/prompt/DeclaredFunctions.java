package dev.counterpoint.prompt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.List;

/// The functions of a job by the names that the model knows.
public final class DeclaredFunctions {
    private DeclaredFunctions() {}

    /// The functions that the answer may call. Readers do not report a call of any other function.
    public static FunctionNames callable(GenerationJob job) {
        return callable(job, of(job));
    }

    /// The same for a caller that has the names of all functions already.
    ///
    /// @param declared by [#of]
    public static FunctionNames callable(GenerationJob job, FunctionNames declared) {
        return job.choice().mode() == ToolChoice.Mode.NONE ? new FunctionNames(List.of()) : declared;
    }

    /// All functions that the job declares, even those that the answer may not call.
    public static FunctionNames of(GenerationJob job) {
        return new FunctionNames(
                job.tools().stream().map(GenerationJob.FunctionTool::name).toList());
    }
}
