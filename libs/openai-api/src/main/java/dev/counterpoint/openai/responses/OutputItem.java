package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the model produced, in the order it did.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface OutputItem {
    /// A message to the user; `phase` is `commentary` or `final_answer`.
    @JsonTypeName("message")
    record Message(
            String id,
            ItemStatus status,
            MessageRole role,
            List<OutputContent> content,
            @Nullable String phase) implements OutputItem {
        public Message {
            content = List.copyOf(content);
        }
    }

    /// The model's reasoning: `summary` is safe for anyone, `content` is raw and only for entitled callers,
    /// `encryptedContent` is opaque and comes back unread on the next turn.
    @JsonTypeName("reasoning")
    record Reasoning(
            String id,
            List<SummaryText> summary,
            @Nullable List<OutputContent.ReasoningText> content,
            @Nullable String encryptedContent,
            @Nullable ItemStatus status)
            implements OutputItem {
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

    /// A call of a function that the client runs; `arguments` is JSON text as the model wrote it.
    @JsonTypeName("function_call")
    record FunctionCall(String id, String callId, String name, String arguments, ItemStatus status)
            implements OutputItem {}

    /// An item that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements OutputItem {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
