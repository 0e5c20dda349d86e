package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.ChannelConfig;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Content.Text;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads conversations in the references' JSON form.
final class WireConversations {
    private WireConversations() {}

    static Conversation conversation(JsonNode json) {
        var messages = new ArrayList<Message>();
        json.path("messages").forEach(message -> messages.add(message(message)));
        return new Conversation(messages);
    }

    /// @param mode the reference's function: `training` or, with the next role, `completion`; else neither
    static int[] render(HarmonyRenderer renderer, Conversation conversation, String mode, @Nullable String next) {
        if (mode.equals("training")) {
            return forTraining(renderer.render(conversation), conversation);
        }
        return next == null ? renderer.render(conversation) : renderer.renderForCompletion(conversation, role(next));
    }

    /// An answer at the end of an example is closed as the model closes it, with `<|return|>`.
    private static int[] forTraining(int[] tokens, Conversation conversation) {
        var messages = conversation.messages();
        boolean answered = !messages.isEmpty()
                && messages.getLast().author().role() == Role.ASSISTANT
                && Channels.FINAL.equals(messages.getLast().channel());
        if (answered) {
            tokens[tokens.length - 1] = SpecialTokens.RETURN;
        }
        return tokens;
    }

    static Author author(JsonNode json) {
        return new Author(role(json.path("role").asText()), text(json, "name"));
    }

    static Role role(String wireName) {
        return Role.valueOf(wireName.toUpperCase(Locale.ROOT));
    }

    private static Message message(JsonNode json) {
        var parts = new ArrayList<Content>();
        if (json.path("content").isTextual()) {
            parts.add(new Text(json.path("content").asText()));
        }
        json.path("content").forEach(part -> parts.add(content(part)));
        return new Message(
                author(json), text(json, "recipient"), text(json, "channel"), text(json, "content_type"), parts);
    }

    private static Content content(JsonNode json) {
        return switch (json.path("type").asText()) {
            case "text" -> new Text(json.path("text").asText());
            case "developer_content" -> new DeveloperContent(text(json, "instructions"), namespaces(json));
            case "system_content" -> system(json);
            default -> throw new IllegalArgumentException("content type " + json.path("type"));
        };
    }

    private static SystemContent system(JsonNode json) {
        var effort = text(json, "reasoning_effort");
        return new SystemContent(
                text(json, "model_identity"),
                effort == null ? null : ReasoningEffort.valueOf(effort.toUpperCase(Locale.ROOT)),
                namespaces(json),
                text(json, "conversation_start_date"),
                text(json, "knowledge_cutoff"),
                channels(json.path("channel_config")));
    }

    private static @Nullable ChannelConfig channels(JsonNode json) {
        if (!json.isObject()) {
            return null;
        }
        var names = new ArrayList<String>();
        json.path("valid_channels").forEach(name -> names.add(name.asText()));
        return new ChannelConfig(names, json.path("channel_required").asBoolean());
    }

    private static List<ToolNamespace> namespaces(JsonNode json) {
        var namespaces = new ArrayList<ToolNamespace>();
        for (JsonNode namespace : json.path("tools")) {
            var tools = new ArrayList<ToolDescription>();
            for (JsonNode tool : namespace.path("tools")) {
                var parameters = tool.path("parameters");
                tools.add(new ToolDescription(
                        tool.path("name").asText(),
                        tool.path("description").asText(),
                        parameters.isNull() || parameters.isMissingNode() ? null : parameters));
            }
            namespaces.add(new ToolNamespace(namespace.path("name").asText(), text(namespace, "description"), tools));
        }
        return namespaces;
    }

    static @Nullable String text(JsonNode json, String member) {
        var value = json.path(member);
        return value.isTextual() ? value.asText() : null;
    }
}
