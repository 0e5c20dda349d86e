package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// Who called a tool.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ToolCaller {
    /// The model itself.
    @JsonTypeName("direct")
    record Direct(Others others) implements ToolCaller {}

    /// A program that the model wrote; `callerId` is the call that runs it.
    @JsonTypeName("program")
    record Program(String callerId, Others others) implements ToolCaller {}

    /// A caller that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements ToolCaller {}
}
