package dev.counterpoint.openai.chat;

/// A function or custom tool of the request by its name.
public record FunctionName(String name) {}
