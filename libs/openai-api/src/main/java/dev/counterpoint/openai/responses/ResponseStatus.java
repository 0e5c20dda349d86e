package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/// The states of a response; it leaves `QUEUED` and `IN_PROGRESS` once and for all.
public enum ResponseStatus {
    QUEUED,
    IN_PROGRESS,
    COMPLETED,
    INCOMPLETE,
    FAILED,
    CANCELLED;

    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether nothing more will happen.
    public boolean terminal() {
        return switch (this) {
            case QUEUED, IN_PROGRESS -> false;
            case COMPLETED, INCOMPLETE, FAILED, CANCELLED -> true;
        };
    }
}
