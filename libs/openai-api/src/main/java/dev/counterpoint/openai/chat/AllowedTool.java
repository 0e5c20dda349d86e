package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// Names a tool of the request that the model may use.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface AllowedTool {
    @JsonTypeName("function")
    record Function(FunctionName function) implements AllowedTool {}

    @JsonTypeName("custom")
    record Custom(FunctionName custom) implements AllowedTool {}

    /// A tool of a kind that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements AllowedTool {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
