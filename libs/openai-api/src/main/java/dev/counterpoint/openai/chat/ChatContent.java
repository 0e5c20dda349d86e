package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;

/// The content of a message: a text, or a list of parts.
public sealed interface ChatContent {
    record Text(@JsonValue String text) implements ChatContent {}

    record Parts(@JsonValue List<ChatPart> parts) implements ChatContent {
        public Parts {
            parts = List.copyOf(parts);
        }
    }
}
