package dev.counterpoint.audit.records;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// How a response ended, as staff searches for it.
public enum RecordStatus {
    /// The model ended its answer.
    COMPLETED,
    /// A limit ended it.
    INCOMPLETE,
    /// It was cancelled.
    CANCELLED,
    /// Its deadline passed.
    EXPIRED,
    /// It could not be made.
    FAILED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RecordStatus> ofWireName(String name) {
        return Stream.of(values())
                .filter(status -> status.wireName().equals(name))
                .findFirst();
    }
}
