package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// What a program of the code interpreter gave.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface CodeOutput {
    @JsonTypeName("logs")
    record Logs(String logs, Others others) implements CodeOutput {}

    @JsonTypeName("image")
    record Image(String url, Others others) implements CodeOutput {}

    /// An output that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements CodeOutput {}
}
