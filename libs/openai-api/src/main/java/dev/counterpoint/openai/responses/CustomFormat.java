package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// What the input of a custom tool looks like.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface CustomFormat {
    /// Free text.
    @JsonTypeName("text")
    record Text(Others others) implements CustomFormat {}

    /// What `definition` allows; `syntax` is `lark` or `regex`.
    @JsonTypeName("grammar")
    record Grammar(String syntax, String definition, Others others) implements CustomFormat {}

    /// A format that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements CustomFormat {}
}
