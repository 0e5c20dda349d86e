package dev.counterpoint.bus.draft;

import dev.counterpoint.bus.ResponseId;
import java.util.UUID;

/// The id of a draft. It is random, so that nobody who has not read a request can name it in an answer.
public record DraftId(UUID value) {
    public static DraftId create() {
        return new DraftId(UUID.randomUUID());
    }

    static DraftId of(long high, long low) {
        return new DraftId(new UUID(high, low));
    }

    long high() {
        return value.getMostSignificantBits();
    }

    long low() {
        return value.getLeastSignificantBits();
    }

    String taskContext(ResponseId response) {
        return "draft-task|" + this + "|" + response;
    }

    String textContext(ResponseId response) {
        return "draft-text|" + this + "|" + response;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
