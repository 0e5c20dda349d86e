package dev.counterpoint.openai.chat;

/// Which function, and with what: `arguments` is JSON text as the model wrote it.
public record FunctionCall(String name, String arguments) {}
