package dev.counterpoint.gateway.api.completions;

import dev.counterpoint.openai.chat.ChatContent;
import dev.counterpoint.openai.chat.ChatMessage;
import dev.counterpoint.openai.chat.ChatPart;
import dev.counterpoint.openai.chat.StoredMessage;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Messages of a request as they are shown later. Their reasoning was not kept.
final class StoredMessages {
    private StoredMessages() {}

    static StoredMessage stored(String id, ChatMessage message) {
        return switch (message) {
            case ChatMessage.System system -> said(id, "system", system.content());
            case ChatMessage.Developer developer -> said(id, "developer", developer.content());
            case ChatMessage.User user -> said(id, "user", user.content());
            case ChatMessage.Tool tool -> said(id, "tool", tool.content());
            case ChatMessage.Function function ->
                new StoredMessage(id, "function", function.content(), null, null, null, null, null, null);
            case ChatMessage.Assistant assistant ->
                new StoredMessage(
                        id,
                        "assistant",
                        text(assistant.content()),
                        assistant.refusal(),
                        parts(assistant.content()),
                        assistant.toolCalls(),
                        assistant.functionCall(),
                        null,
                        null);
        };
    }

    private static StoredMessage said(String id, String role, ChatContent content) {
        return new StoredMessage(id, role, text(content), null, parts(content), null, null, null, null);
    }

    /// The text of a message, whole or in parts; empty where it has none.
    static String text(StoredMessage message) {
        if (message.content() != null) {
            return message.content();
        }
        var parts = Objects.requireNonNullElse(message.contentParts(), List.<ChatPart>of());
        return parts.stream()
                .map(part -> part instanceof ChatPart.Text(String text, var _) ? text : "")
                .collect(Collectors.joining());
    }

    private static @Nullable String text(@Nullable ChatContent content) {
        return content instanceof ChatContent.Text(String text) ? text : null;
    }

    private static @Nullable List<ChatPart> parts(@Nullable ChatContent content) {
        return content instanceof ChatContent.Parts(List<ChatPart> parts) ? parts : null;
    }
}
