package dev.counterpoint.gateway.access;

/// How much of the model's reasoning a caller gets.
public enum ReasoningMode {
    /// Nothing but the count of its tokens.
    NONE,
    /// The safe summary.
    SUMMARY,
    /// The raw chain of thought.
    FULL
}
