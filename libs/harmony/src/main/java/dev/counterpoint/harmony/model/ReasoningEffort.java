package dev.counterpoint.harmony.model;

import java.util.Locale;

/// How long the model should think; rendered as `Reasoning: low|medium|high`.
public enum ReasoningEffort {
    LOW,
    MEDIUM,
    HIGH;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
        return wireName;
    }
}
