package dev.counterpoint.openai.responses;

import org.jspecify.annotations.Nullable;

/// What the tools that ran at the server took, apart from the model's own [Usage].
public record ToolUsage(ImageGen imageGen, WebSearch webSearch) {
    /// Of a server that runs no tools.
    public static final ToolUsage NONE =
            new ToolUsage(new ImageGen(null, null, 0, new ImageTokens(0, 0), 0, null, 0), new WebSearch(0));

    /// Tokens of all images that were made; details of the output and of the cache may be unknown.
    public record ImageGen(
            @Nullable Long cachedTokens,
            @Nullable CachedTokens cachedTokensDetails,
            long inputTokens,
            ImageTokens inputTokensDetails,
            long outputTokens,
            @Nullable ImageTokens outputTokensDetails,
            long totalTokens) {}

    public record ImageTokens(long imageTokens, long textTokens) {}

    public record CachedTokens(long cachedImageTokens, long cachedTextTokens) {}

    /// Searches that are paid for.
    public record WebSearch(long numRequests) {}
}
