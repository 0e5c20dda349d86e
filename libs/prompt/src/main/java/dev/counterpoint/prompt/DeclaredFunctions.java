package dev.counterpoint.prompt;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.List;
import java.util.function.Predicate;

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
        return new FunctionNames(names(job, _ -> true), names(job, tool -> tool.input() != null));
    }

    private static List<String> names(GenerationJob job, Predicate<FunctionTool> which) {
        return job.tools().stream().filter(which).map(FunctionTool::name).toList();
    }
}
