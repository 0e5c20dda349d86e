package dev.counterpoint.openai.responses;

import com.fasterxml.jackson.annotation.JsonValue;

/// The conversation that a response belongs to, by its id or by an object that holds it.
public sealed interface ConversationParam {
    String id();

    record Id(@JsonValue String id) implements ConversationParam {}

    record Reference(String id) implements ConversationParam {}
}
