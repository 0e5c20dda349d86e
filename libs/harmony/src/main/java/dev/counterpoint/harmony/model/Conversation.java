package dev.counterpoint.harmony.model;

import java.util.List;

/// Messages in the order they were said.
public record Conversation(List<Message> messages) {
    public Conversation {
        messages = List.copyOf(messages);
    }

    public static Conversation of(Message... messages) {
        return new Conversation(List.of(messages));
    }
}
