package dev.counterpoint.openai.moderation;

/// What moderation found in a response's input and output.
public record Moderation(ModerationOutcome input, ModerationOutcome output) {}
