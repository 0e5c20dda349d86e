package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;

/// What stands for a variable of a prompt: a text, or a part such as an image.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface PromptVariable {
    record Text(@JsonValue String text) implements PromptVariable {}

    record Part(@JsonValue InputContent part) implements PromptVariable {}
}
