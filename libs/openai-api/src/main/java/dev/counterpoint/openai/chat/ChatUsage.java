package dev.counterpoint.openai.chat;

/// Tokens that a completion took; `completionTokens` include those of the reasoning.
public record ChatUsage(
        long promptTokens,
        long completionTokens,
        long totalTokens,
        PromptDetails promptTokensDetails,
        CompletionDetails completionTokensDetails) {

    /// Of the prompt: what the prompt cache held already, and what was written to it.
    public record PromptDetails(long cachedTokens, long cacheWriteTokens) {}

    /// Of the completion: what the model spent on reasoning.
    public record CompletionDetails(long reasoningTokens) {}

    /// @param cached prompt tokens that the prompt cache held
    /// @param reasoning completion tokens that were reasoning
    public static ChatUsage of(long prompt, long cached, long completion, long reasoning) {
        return new ChatUsage(
                prompt,
                completion,
                prompt + completion,
                new PromptDetails(cached, 0),
                new CompletionDetails(reasoning));
    }
}
