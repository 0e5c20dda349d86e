package dev.counterpoint.worker.constraint;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.harmony.model.FunctionNames;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of an assistant's turn, as far as a grammar can hold them.
///
/// @param reasons whether the model may reason
/// @param answers whether it may answer, or must call a function
/// @param calls the functions that it may call
/// @param format the form of the answer, or null for free text
record TurnRules(
        boolean reasons,
        boolean answers,
        List<Call> calls,
        @Nullable ResponseFormat format) {
    /// @param recipient as the model knows the function
    /// @param tool as it was declared
    record Call(String recipient, FunctionTool tool) {}

    TurnRules {
        calls = List.copyOf(calls);
        if (!answers && calls.isEmpty()) {
            throw new IllegalArgumentException("no function to call");
        }
    }

    /// True if a value has to keep to a strict schema or a grammar, or to be an object in JSON mode.
    boolean strict() {
        return format != null && format.mustFit()
                || calls.stream().anyMatch(call -> call.tool().mustFit());
    }

    /// @param names of the functions that the job declares
    static TurnRules of(GenerationJob job, FunctionNames names) {
        var limit = job.reasoning().tokensMax();
        var choice = job.choice();
        var calls = job.tools().stream()
                .filter(tool -> switch (choice.mode()) {
                    case AUTO, REQUIRED -> true;
                    case NONE -> false;
                    case FUNCTION -> tool.name().equals(choice.name());
                })
                .map(tool -> new Call(names.recipient(tool.name()), tool))
                .toList();
        return new TurnRules(limit == null || limit > 0, !choice.forcesCall(), calls, job.format());
    }
}
