package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which tools the model may or must call.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ToolChoice {
    /// `auto`, `none` or `required`; another word is for the reader to refuse.
    record Mode(@JsonValue String mode) implements ToolChoice {
        public static final Mode AUTO = new Mode("auto");
        public static final Mode NONE = new Mode("none");
        public static final Mode REQUIRED = new Mode("required");
    }

    /// This function, and no other.
    @JsonTypeName("function")
    record Function(String name) implements ToolChoice {}

    /// Only these of the request's tools; `mode` is `auto` or `required`.
    @JsonTypeName("allowed_tools")
    record AllowedTools(String mode, List<AllowedTool> tools) implements ToolChoice {
        public AllowedTools {
            tools = List.copyOf(tools);
        }
    }

    /// A choice that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ToolChoice {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// Names a tool of the request: a function by `name`, an MCP server by `serverLabel`, another kind by `type` alone.
    record AllowedTool(
            String type, @Nullable String name, @Nullable String serverLabel) {}
}
