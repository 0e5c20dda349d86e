package dev.counterpoint.audit.records;

import java.util.Locale;

/// The end of a response in the words that staff searches for.
public enum RecordStatus {
    /// The model ended its answer.
    COMPLETED,
    /// A limit of tokens or of the context ended the answer.
    INCOMPLETE,
    /// The caller cancelled the response.
    CANCELLED,
    /// The response's deadline passed.
    EXPIRED,
    /// The answer could not be made.
    FAILED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
