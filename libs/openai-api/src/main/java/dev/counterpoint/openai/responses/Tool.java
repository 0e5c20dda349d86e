package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// Something the model may use.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface Tool {
    /// A function that the client runs; `parameters` is the JSON Schema of its arguments.
    @JsonTypeName("function")
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Function(
            String name,
            @Nullable String description,
            @Nullable ObjectNode parameters,
            @Nullable Boolean strict) implements Tool {}

    /// A tool that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements Tool {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
