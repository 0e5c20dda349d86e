package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/// The answer of `DELETE /v1/chat/completions/{id}`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("chat.completion.deleted")
public record ChatCompletionDeleted(String id, boolean deleted) {}
