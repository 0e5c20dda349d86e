package dev.counterpoint.gateway.access;

import java.util.Arrays;
import java.util.Optional;

/// What an API key is entitled to beyond plain answers.
public enum Scope {
    /// The safe summary of the model's reasoning.
    REASONING_SUMMARY("reasoning:summary"),
    /// The raw chain of thought, and with it the summary.
    REASONING_RAW("reasoning:raw");

    private final String wireName;

    Scope(String wireName) {
        this.wireName = wireName;
    }

    /// The name in key files, in the admin API and in error messages.
    public String wireName() {
        return wireName;
    }

    static Optional<Scope> named(String wireName) {
        return Arrays.stream(values())
                .filter(scope -> scope.wireName.equals(wireName))
                .findFirst();
    }
}
