package dev.counterpoint.openai.chat;

import com.fasterxml.jackson.annotation.JsonValue;

/// Who speaks: a voice by name, or one of the caller's own by id.
public sealed interface Voice {
    record Named(@JsonValue String name) implements Voice {}

    record Own(String id) implements Voice {}
}
