package dev.counterpoint.openai.error;

/// The body of every answer with an error status.
public record ErrorBody(ErrorDetail error) {}
