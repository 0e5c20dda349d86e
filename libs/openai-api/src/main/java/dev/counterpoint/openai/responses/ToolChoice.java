package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import dev.counterpoint.openai.json.Typed;
import dev.counterpoint.openai.json.WireNames;
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
    record Function(String name, Others others) implements ToolChoice {}

    /// Only these of the request's tools; `mode` is `auto` or `required`.
    @JsonTypeName("allowed_tools")
    record AllowedTools(String mode, List<AllowedTool> tools, Others others) implements ToolChoice {
        public AllowedTools {
            tools = List.copyOf(tools);
        }
    }

    /// A tool other than a function.
    sealed interface Other extends ToolChoice, Typed {}

    /// This custom tool.
    @JsonTypeName("custom")
    record Custom(String name, Others others) implements Other {}

    /// A tool of this MCP server: the one of that name, or any.
    @JsonTypeName("mcp")
    record Mcp(String serverLabel, @Nullable String name, Others others) implements Other {}

    /// The tool of this type.
    @WireNames({
        "file_search",
        "web_search_preview",
        "web_search_preview_2025_03_11",
        "computer",
        "computer_use_preview",
        "computer_use",
        "image_generation",
        "code_interpreter",
        "programmatic_tool_calling",
        "apply_patch",
        "shell"
    })
    record Hosted(String type, Others others) implements Other {}

    /// A choice that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements Other {
        @Override
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// Names a tool of the request: a function by `name`, an MCP server by `serverLabel`, another kind by `type` alone.
    record AllowedTool(
            String type, @Nullable String name, @Nullable String serverLabel, Others others) {}
}
