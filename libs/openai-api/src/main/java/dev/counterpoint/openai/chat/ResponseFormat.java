package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/// The form the answer's text must have.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ResponseFormat {
    @JsonTypeName("text")
    record Text() implements ResponseFormat {}

    /// Any JSON object.
    @JsonTypeName("json_object")
    record JsonObject() implements ResponseFormat {}

    /// JSON that matches a schema.
    @JsonTypeName("json_schema")
    record JsonSchema(Schema jsonSchema) implements ResponseFormat {}

    /// A format that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ResponseFormat {
        public String type() {
            return raw.path("type").asText();
        }
    }

    /// With `strict` the answer matches always, without it as well as the model can.
    record Schema(
            String name,
            @Nullable String description,
            @Nullable ObjectNode schema,
            @Nullable Boolean strict) {}
}
