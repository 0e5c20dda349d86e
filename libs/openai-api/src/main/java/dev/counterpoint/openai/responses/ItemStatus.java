package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// How far an output item came.
public enum ItemStatus {
    IN_PROGRESS,
    COMPLETED,
    INCOMPLETE;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
