package dev.counterpoint.openai.responses;

import dev.counterpoint.openai.json.Others;
import org.jspecify.annotations.Nullable;

/// How file search orders and drops what it finds.
///
/// @param ranker `auto` or a dated one
/// @param scoreThreshold 0 to 1
public record RankingOptions(
        @Nullable String ranker,
        @Nullable Double scoreThreshold,
        @Nullable HybridSearch hybridSearch,
        Others others) {
    /// How much the meaning weighs against the words.
    public record HybridSearch(double embeddingWeight, double textWeight, Others others) {}
}
