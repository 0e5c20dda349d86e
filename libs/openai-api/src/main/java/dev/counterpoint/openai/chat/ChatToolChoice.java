package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Untagged;
import java.util.List;

/// Which tools the model may or must call.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatToolChoice {
    /// `auto`, `none` or `required`; another word is for the reader to refuse.
    record Mode(@JsonValue String mode) implements ChatToolChoice {}

    /// This function, and no other.
    @JsonTypeName("function")
    @Untagged(member = "function")
    record Function(FunctionName function) implements ChatToolChoice {}

    /// This custom tool, and no other.
    @JsonTypeName("custom")
    record Custom(FunctionName custom) implements ChatToolChoice {}

    /// Only these of the request's tools.
    @JsonTypeName("allowed_tools")
    record AllowedTools(Allowed allowedTools) implements ChatToolChoice {}

    /// A choice that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ChatToolChoice {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// `mode` is `auto` or `required`.
    record Allowed(String mode, List<AllowedTool> tools) {
        public Allowed {
            tools = List.copyOf(tools);
        }
    }
}
