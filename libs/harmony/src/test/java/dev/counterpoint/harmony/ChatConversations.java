package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Content.Text;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.ReasoningEffort;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.model.ToolNamespace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.StreamSupport;

/// Reads requests in the form of chat completions: `messages`, `tools`, and the arguments of a chat template.
final class ChatConversations {
    private final List<Message> messages = new ArrayList<>();
    private final Map<String, String> callNames = new HashMap<>();
    private List<ToolDescription> unofferedTools;

    private ChatConversations(JsonNode request) {
        messages.add(Message.system(system(request)));
        unofferedTools = tools(request);
    }

    static Conversation of(JsonNode request) {
        var reader = new ChatConversations(request);
        request.path("messages").forEach(reader::read);
        return new Conversation(reader.messages);
    }

    private void read(JsonNode message) {
        var role = message.path("role").asText();
        boolean instructs = role.equals("system") || role.equals("developer");
        if (instructs || !unofferedTools.isEmpty()) {
            var instructions = instructs ? message.path("content").asText() : null;
            messages.add(Message.developer(DeveloperContent.withFunctions(instructions, unofferedTools)));
            unofferedTools = List.of();
        }
        switch (role) {
            case "user" -> messages.add(Message.user(message.path("content").asText()));
            case "assistant" -> readAnswer(message);
            case "tool" -> {
                var name = callNames.get(message.path("tool_call_id").asText());
                messages.add(new Message(
                        new Author(Role.TOOL, name),
                        Role.ASSISTANT.wireName(),
                        Channels.COMMENTARY,
                        null,
                        List.of(new Text(text(message.path("content"))))));
            }
            default -> {}
        }
    }

    private void readAnswer(JsonNode message) {
        var calls = message.path("tool_calls");
        var content = message.path("content").asText();
        if (message.has("thinking")) {
            messages.add(Message.assistant(
                    Channels.ANALYSIS, message.path("thinking").asText()));
        }
        if (!content.isEmpty()) {
            messages.add(Message.assistant(calls.isEmpty() ? Channels.FINAL : Channels.COMMENTARY, content));
        }
        for (JsonNode call : calls) {
            var name = "functions." + call.path("function").path("name").asText();
            callNames.put(call.path("id").asText(), name);
            messages.add(Message.call(
                    name,
                    Channels.COMMENTARY,
                    "json",
                    text(call.path("function").path("arguments"))));
        }
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.asText() : value.toString();
    }

    private static List<ToolDescription> tools(JsonNode request) {
        return StreamSupport.stream(request.path("tools").spliterator(), false)
                .map(tool -> tool.path("function"))
                .map(function -> new ToolDescription(
                        function.path("name").asText(),
                        function.path("description").asText(),
                        function.path("parameters")))
                .toList();
    }

    private static SystemContent system(JsonNode request) {
        var arguments = request.path("kwargs");
        var system = SystemContent.defaults()
                .withConversationStartDate(request.path("strftime_now").asText());
        if (arguments.has("reasoning_effort")) {
            var effort = arguments.path("reasoning_effort").asText();
            system = system.withReasoningEffort(ReasoningEffort.valueOf(effort.toUpperCase(Locale.ROOT)));
        }
        if (arguments.has("model_identity")) {
            system = system.withModelIdentity(arguments.path("model_identity").asText());
        }
        var tools = new ArrayList<ToolNamespace>();
        for (JsonNode tool : arguments.path("builtin_tools")) {
            tools.add(tool.asText().equals("python") ? BuiltInNamespaces.python() : BuiltInNamespaces.browser());
        }
        return system.withTools(tools);
    }
}
