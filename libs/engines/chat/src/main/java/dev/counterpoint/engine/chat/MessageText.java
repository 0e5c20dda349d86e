package dev.counterpoint.engine.chat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Reads the texts of a message or its delta, in the shapes that servers have for them.
final class MessageText {
    private static final Set<String> SEALED = Set.of("reasoning.encrypted", "redacted_thinking");

    private MessageText() {}

    /// What the client is to read: a text, a list of parts (Mistral), a refusal (OpenAI), or the `text`
    /// of a completion.
    static String content(JsonNode message) {
        var text = new StringBuilder(parts(message.path("content"), false));
        text.append(text(message.path("refusal")));
        return text.isEmpty() ? text(message.path("text")) : text.toString();
    }

    /// The reasoning that the server told. A server that has several names for it says the same in each:
    /// the first that says something counts.
    static String reasoning(JsonNode message) {
        for (var name : new String[] {"reasoning_content", "reasoning", "thinking", "reasoning_text"}) {
            var told = parts(message.path(name), true);
            if (!told.isEmpty()) {
                return told;
            }
        }
        var details = parts(message.path("reasoning_details"), true);
        return details.isEmpty() ? parts(message.path("content"), true, false) : details;
    }

    /// True if the message has reasoning that only the server can read: `reasoning.encrypted` of OpenRouter,
    /// `redacted_thinking` of Anthropic.
    static boolean hasSealedReasoning(JsonNode message) {
        return Stream.of(message.path("reasoning_details"), message.path("content"))
                .flatMap(parts -> StreamSupport.stream(parts.spliterator(), false))
                .filter(part -> SEALED.contains(part.path("type").asText()))
                .anyMatch(part -> !text(part.path("data")).isEmpty());
    }

    private static String parts(JsonNode node, boolean reasoning) {
        return parts(node, reasoning, reasoning);
    }

    /// @param reasoning whether reasoning is wanted, and not the answer
    /// @param all whether everything in the node is reasoning
    private static String parts(JsonNode node, boolean reasoning, boolean all) {
        if (node.isTextual()) {
            return reasoning && !all ? "" : node.textValue();
        }
        if (node.isObject()) {
            return part(node, reasoning, all);
        }
        var text = new StringBuilder();
        node.forEach(part -> text.append(parts(part, reasoning, all)));
        return text.toString();
    }

    private static String part(JsonNode part, boolean reasoning, boolean all) {
        var type = part.path("type").asText();
        boolean thought = type.contains("think") || type.contains("reasoning");
        if (!all && thought != reasoning) {
            return "";
        }
        var text = new StringBuilder();
        for (var name : new String[] {"text", "thinking", "reasoning", "summary", "content", "refusal"}) {
            if (text.isEmpty()) {
                text.append(thought || all ? parts(part.path(name), true, true) : text(part.path(name)));
            }
        }
        return text.toString();
    }

    /// Empty where the node is no text.
    static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }
}
