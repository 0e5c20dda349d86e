package dev.counterpoint.worker.engine.llama;

/// What the engine has done since it began.
///
/// @param steps batches computed
/// @param computedTokens tokens in them
/// @param reusedTokens tokens that were not computed, because another sequence had begun alike
/// @param preemptions how often a sequence gave its memory up and was computed again
public record LlamaStatistics(long steps, long computedTokens, long reusedTokens, long preemptions) {}
