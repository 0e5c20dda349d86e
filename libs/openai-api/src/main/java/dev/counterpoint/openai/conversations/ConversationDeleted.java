package dev.counterpoint.openai.conversations;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/// The answer of `DELETE /v1/conversations/{id}`.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "object")
@JsonTypeName("conversation.deleted")
public record ConversationDeleted(String id, boolean deleted) {}
