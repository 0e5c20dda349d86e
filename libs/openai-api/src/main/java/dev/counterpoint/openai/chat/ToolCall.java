package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Untagged;

/// A call that the model made; the client answers under `id`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ToolCall {
    @JsonTypeName("function")
    @Untagged(member = "function")
    record Function(String id, ChatFunctionCall function) implements ToolCall {}

    @JsonTypeName("custom")
    record Custom(String id, CustomCall custom) implements ToolCall {}

    /// A call that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ToolCall {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// Which custom tool, and the free text for it.
    record CustomCall(String name, String input) {}
}
