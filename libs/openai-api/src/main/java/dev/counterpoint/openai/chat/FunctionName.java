package dev.counterpoint.openai.chat;

/// A function of the request by its name.
public record FunctionName(String name) {}
