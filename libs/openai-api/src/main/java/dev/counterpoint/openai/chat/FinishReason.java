package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// Why the model stopped.
public enum FinishReason {
    STOP,
    LENGTH,
    TOOL_CALLS,
    CONTENT_FILTER,
    FUNCTION_CALL;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
