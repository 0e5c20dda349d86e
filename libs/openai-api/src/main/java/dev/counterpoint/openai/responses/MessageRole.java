package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Who speaks in a message item.
public enum MessageRole {
    USER,
    ASSISTANT,
    SYSTEM,
    DEVELOPER;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
