package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Untagged;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An item of the conversation so far. Ids are optional wherever clients that keep nothing leave them out.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface InputItem {
    /// A message of anyone; `phase` is `commentary` or `final_answer` on those of the assistant.
    @JsonTypeName("message")
    @Untagged(member = "role")
    record Message(
            @Nullable String id,
            MessageRole role,
            MessageContent content,
            @Nullable String phase,
            @Nullable String status)
            implements InputItem {}

    /// Reasoning of an earlier turn that comes back.
    @JsonTypeName("reasoning")
    record Reasoning(
            @Nullable String id,
            List<SummaryText> summary,
            @Nullable List<OutputContent> content,
            @Nullable String encryptedContent,
            @Nullable String status)
            implements InputItem {
        public Reasoning {
            summary = List.copyOf(summary);
            content = content == null ? null : List.copyOf(content);
        }

        /// Nothing of the reasoning gets into logs.
        @Override
        public String toString() {
            return "Reasoning[id=" + id + "]";
        }
    }

    /// A call that the model made; `arguments` is JSON text.
    @JsonTypeName("function_call")
    record FunctionCall(
            @Nullable String id,
            String callId,
            String name,
            String arguments,
            @Nullable String status,
            @Nullable String namespace)
            implements InputItem {}

    /// What the client's function answered to the call `callId`.
    @JsonTypeName("function_call_output")
    record FunctionCallOutput(
            @Nullable String id,
            String callId,
            MessageContent output,
            @Nullable String status) implements InputItem {}

    /// Stands for the stored item of that id.
    @JsonTypeName("item_reference")
    @Untagged(member = "id")
    record ItemReference(String id) implements InputItem {}

    /// An item that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements InputItem {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
