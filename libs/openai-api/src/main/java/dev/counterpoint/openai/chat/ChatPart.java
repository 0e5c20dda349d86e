package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// A part of a message's content.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
public sealed interface ChatPart {
    @JsonTypeName("text")
    record Text(String text) implements ChatPart {}

    @JsonTypeName("refusal")
    record Refusal(String refusal) implements ChatPart {}

    /// An image, audio, a file or a part of a kind that this library does not know: to be refused by its name.
    record Unsupported(@JsonValue ObjectNode raw) implements ChatPart {
        public String type() {
            return raw.path("type").asText();
        }
    }
}
