package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// Instructions and files for a task, put into a container.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface Skill {
    /// One that is kept at the provider; `version` is a number or `latest`.
    @JsonTypeName("skill_reference")
    record Reference(String skillId, @Nullable String version, Others others) implements Skill {}

    @JsonTypeName("inline")
    record Inline(String name, String description, Source source, Others others) implements Skill {}

    /// A skill that this library does not know, kept as it came.
    record Unknown(@JsonValue ObjectNode raw) implements Skill {}

    /// A file that holds the skill; `type` is `base64`, `mediaType` is `application/zip`.
    record Source(String type, String mediaType, String data, Others others) {}
}
