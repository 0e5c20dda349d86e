package dev.counterpoint.openai;

/// How the prompt of a response was cached, as a [PromptCacheWish] with nothing left open.
public record PromptCacheOptions(String ttl, String mode) {}
