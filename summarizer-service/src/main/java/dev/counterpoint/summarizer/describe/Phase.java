package dev.counterpoint.summarizer.describe;

/// How far a reasoning message is, by its thoughts alone: nobody knows its length in advance.
public enum Phase {
    /// The first thoughts.
    START,
    MIDDLE,
    /// The model decides or words its answer.
    END
}
