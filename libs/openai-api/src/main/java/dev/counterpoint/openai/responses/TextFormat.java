package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// The form the answer's text must have.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface TextFormat {
    @JsonTypeName("text")
    record Text() implements TextFormat {}

    /// Any JSON object.
    @JsonTypeName("json_object")
    record JsonObject() implements TextFormat {}

    /// JSON that matches `schema`; with `strict` always, without it as well as the model can.
    @JsonTypeName("json_schema")
    record JsonSchema(
            String name,
            @Nullable String description,
            ObjectNode schema,
            @Nullable Boolean strict) implements TextFormat {}

    /// A format that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements TextFormat {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
