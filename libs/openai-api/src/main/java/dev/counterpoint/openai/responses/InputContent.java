package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// A part of an input message or of a function's output.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface InputContent {
    @JsonTypeName("input_text")
    record InputText(String text) implements InputContent {}

    /// Text of an earlier answer; its annotations and probabilities mean nothing to the model and are not kept.
    @JsonTypeName("output_text")
    record OutputText(String text) implements InputContent {}

    @JsonTypeName("refusal")
    record Refusal(String refusal) implements InputContent {}

    /// An image, a file, audio or a part of a kind that this library does not know: to be refused by its name.
    record Unsupported(@JsonValue ObjectNode raw) implements InputContent {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
