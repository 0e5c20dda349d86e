package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// What to do when the conversation grows too long.
///
/// @param type `compaction` is the one that the contract knows
/// @param compactThreshold tokens from which on to compact, at least 1000
public record ContextManagement(String type, @Nullable Integer compactThreshold) {}
