package dev.counterpoint.openai.models;

/// The answer of `DELETE /v1/models/{model}`; `object` is `model`.
public record ModelDeleted(String id, String object, boolean deleted) {}
