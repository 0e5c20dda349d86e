package dev.counterpoint.summarizer.describe;

/// What the model is doing after one complete thought: a sentence or a line of its reasoning.
///
/// @param endOffset how many characters of the message end with it
/// @param change whether the activity differs from the thought before; the first thought is a change
public record Thought(long endOffset, Description description, boolean change) {}
