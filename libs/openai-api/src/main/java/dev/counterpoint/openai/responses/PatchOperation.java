package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;

/// A change of one file; `diff` is in the V4A format.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface PatchOperation {
    @JsonTypeName("create_file")
    record CreateFile(String path, String diff, Others others) implements PatchOperation {}

    @JsonTypeName("delete_file")
    record DeleteFile(String path, Others others) implements PatchOperation {}

    @JsonTypeName("update_file")
    record UpdateFile(String path, String diff, Others others) implements PatchOperation {}

    /// A change that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements PatchOperation {}
}
