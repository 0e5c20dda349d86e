package dev.counterpoint.gateway.config;

/// The part of the model's reasoning that a caller gets.
public enum ReasoningMode {
    /// Nothing but the count of its tokens.
    NONE,
    /// The safe summary.
    SUMMARY,
    /// The raw chain of thought.
    FULL
}
