package dev.counterpoint.openai.chat;

import org.jspecify.annotations.Nullable;

/// Tokens that a completion took; `completionTokens` include those of the reasoning.
public record ChatUsage(
        long promptTokens,
        long completionTokens,
        long totalTokens,
        @Nullable PromptDetails promptTokensDetails,
        @Nullable CompletionDetails completionTokensDetails) {

    /// Prompt tokens: tokens read from the prompt cache, tokens written to it, and tokens by kind of content.
    public record PromptDetails(
            @Nullable Long cachedTokens,
            @Nullable Long cacheWriteTokens,
            @Nullable Long audioTokens,
            @Nullable Long textTokens,
            @Nullable Long imageTokens) {}

    /// Completion tokens: tokens of reasoning, accepted and rejected tokens of the prediction, and tokens by kind
    /// of content.
    public record CompletionDetails(
            @Nullable Long reasoningTokens,
            @Nullable Long acceptedPredictionTokens,
            @Nullable Long rejectedPredictionTokens,
            @Nullable Long audioTokens,
            @Nullable Long textTokens) {}

    /// @param cached prompt tokens that the prompt cache held
    /// @param reasoning completion tokens that were reasoning
    public static ChatUsage of(long prompt, long cached, long completion, long reasoning) {
        return new ChatUsage(
                prompt,
                completion,
                prompt + completion,
                new PromptDetails(cached, 0L, null, null, null),
                new CompletionDetails(reasoning, null, null, null, null));
    }
}
