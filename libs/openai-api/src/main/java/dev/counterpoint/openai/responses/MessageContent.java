package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/// A text, or a list of parts: the content of a message and the output of a function.
public sealed interface MessageContent {
    record Text(@JsonValue String text) implements MessageContent {}

    record Parts(@JsonValue List<InputContent> parts) implements MessageContent {
        public Parts {
            parts = List.copyOf(parts);
        }
    }
}
