package dev.counterpoint.openai.chat;

/// Which function, and with what: `arguments` is JSON text as the model wrote it.
public record ChatFunctionCall(String name, String arguments) {}
