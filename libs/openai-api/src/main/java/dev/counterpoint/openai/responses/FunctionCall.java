package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// A call of a function that the client runs, as the model made it and as it comes back.
///
/// @param callId what the output of the function answers
/// @param arguments JSON text as the model wrote it
/// @param namespace of the function, where it has one
/// @param async true where the model went on without the output, which may come later or never
@JsonTypeName("function_call")
public record FunctionCall(
        @Nullable String id,
        String callId,
        String name,
        String arguments,
        @Nullable ItemStatus status,
        @Nullable String namespace,
        @Nullable ToolCaller caller,
        @Nullable Boolean async,
        Others others)
        implements InputItem, OutputItem {
    /// A call of a function without a namespace, by the model itself.
    public FunctionCall(String id, String callId, String name, String arguments, ItemStatus status) {
        this(id, callId, name, arguments, status, null, null, null, Others.NONE);
    }
}
