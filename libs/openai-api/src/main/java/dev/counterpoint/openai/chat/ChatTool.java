package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Untagged;
import org.jspecify.annotations.Nullable;

/// Something the model may call.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatTool {
    @JsonTypeName("function")
    @Untagged(member = "function")
    record Function(FunctionDefinition function) implements ChatTool {}

    @JsonTypeName("custom")
    record Custom(CustomDefinition custom) implements ChatTool {}

    /// A tool that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ChatTool {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// A tool of the client that takes free text; null takes any.
    record CustomDefinition(
            String name,
            @Nullable String description,
            @Nullable ChatCustomFormat format) {}
}
