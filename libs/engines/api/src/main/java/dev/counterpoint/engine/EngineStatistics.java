package dev.counterpoint.engine;

/// The work of an engine since it began, and the generations that wait in it now.
///
/// @param steps batches computed; 0 where the engine cannot know
/// @param computedTokens tokens in them, of prompts and of outputs
/// @param reusedTokens tokens of prompts that were not computed, because another sequence had begun alike
/// @param preemptions how often a sequence gave its memory up and was computed again
/// @param waiting generations that hold a slot and wait for memory, now
public record EngineStatistics(long steps, long computedTokens, long reusedTokens, long preemptions, int waiting) {}
