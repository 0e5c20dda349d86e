package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.counterpoint.openai.json.Others;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An item that the server keeps: of a conversation, of the input of a response, of what was compacted.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface StoredItem {
    /// A message of anyone.
    ///
    /// @param role `user`, `assistant`, `system`, `developer`, `tool`, or another that the contract knows
    /// @param phase `commentary` or `final_answer`, on those of the assistant
    @JsonTypeName("message")
    record Message(
            String id,
            @Nullable ItemStatus status,
            String role,
            List<StoredContent> content,
            @Nullable String phase) implements StoredItem {
        public Message {
            content = List.copyOf(content);
        }
    }

    /// The answer of a function to the call `callId`; a compacted item may have neither id nor status.
    @JsonTypeName("function_call_output")
    record FunctionCallOutput(
            @Nullable String id,
            @Nullable String callId,
            MessageContent output,
            @Nullable String name,
            @Nullable String namespace,
            @Nullable ToolCaller caller,
            @Nullable ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements StoredItem {}

    /// As [FunctionCallOutput], of the client's own tool.
    @JsonTypeName("custom_tool_call_output")
    record CustomToolCallOutput(
            @Nullable String id,
            String callId,
            MessageContent output,
            @Nullable ToolCaller caller,
            @Nullable ItemStatus status,
            @Nullable String createdBy,
            Others others)
            implements StoredItem {}

    /// Any other item has the form that it has as output.
    record Item(@JsonValue OutputItem item) implements StoredItem {}
}
