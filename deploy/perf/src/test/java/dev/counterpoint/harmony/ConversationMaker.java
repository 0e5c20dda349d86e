package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// Makes conversations in the references' JSON form.
final class ConversationMaker {
    private static final List<String> ROLES =
            List.of("user", "user", "assistant", "assistant", "assistant", "tool", "tool", "system", "developer");
    private static final List<String> NAMES =
            List.of("functions.get_weather", "python", "browser.search", "bob", "", "a b", "tool", "é💖", "<|end|>");
    private static final List<String> RECIPIENTS = List.of(
            "all",
            "assistant",
            "functions.get_weather",
            "functions.f",
            "python",
            "browser.open",
            "",
            "a b",
            "user",
            "functions.x<|channel|>commentary",
            "é💖",
            "All");
    private static final List<String> CHANNELS = List.of(
            "analysis", "analysis", "commentary", "commentary", "final", "final", "", "Final", "x y", "??", "é");
    private static final List<String> TYPES = List.of(
            "json",
            "<|constrain|>json",
            "<|constrain|>",
            "<|constrain|> json",
            "code",
            " <|constrain|>json",
            "",
            "text",
            "<|constrain|><|constrain|>x",
            "a b",
            "json ");
    private static final List<String> NAMESPACES =
            List.of("functions", "functions", "browser", "python", "zeta", "", "a b", "Functions", "\uFFEE", "💖");

    private final Dice dice;

    private ConversationMaker(Dice dice) {
        this.dice = dice;
    }

    static JsonNode conversation(Dice dice) {
        var maker = new ConversationMaker(dice);
        var conversation = JsonMaker.JSON.objectNode();
        var messages = conversation.putArray("messages");
        if (dice.percent(40)) {
            messages.add(maker.message("system"));
        }
        if (dice.percent(50)) {
            messages.add(maker.message("developer"));
        }
        for (int i = dice.between(0, dice.percent(10) ? 20 : 6); i > 0; i--) {
            messages.add(maker.message(dice.of(ROLES)));
        }
        return conversation;
    }

    private ObjectNode message(String role) {
        var message = JsonMaker.JSON.objectNode();
        message.put("role", role);
        if (role.equals("tool") ? !dice.percent(2) : dice.percent(6)) {
            message.put("name", dice.of(NAMES));
        }
        if (dice.percent(role.equals("assistant") || role.equals("tool") ? 40 : 4)) {
            message.put("recipient", dice.of(RECIPIENTS));
        }
        if (dice.percent(role.equals("assistant") ? 90 : role.equals("tool") ? 50 : 4)) {
            message.put("channel", dice.of(CHANNELS));
        }
        if (dice.percent(role.equals("assistant") ? 30 : 3)) {
            message.put("content_type", dice.of(TYPES));
        }
        message.set("content", content(role));
        return message;
    }

    private JsonNode content(String role) {
        boolean structured = role.equals("system") || role.equals("developer");
        if (dice.percent(structured ? 5 : 60)) {
            return JsonMaker.JSON.textNode(TextMaker.text(dice));
        }
        var parts = JsonMaker.JSON.arrayNode();
        for (int i = structured || dice.percent(50) ? 1 : dice.between(0, 4); i > 0; i--) {
            boolean wrong = dice.percent(1);
            if (role.equals("system") ? !wrong : wrong && dice.toss()) {
                parts.add(systemContent());
            } else if (role.equals("developer") || wrong) {
                parts.add(developerContent());
            } else {
                parts.add(JsonMaker.JSON.objectNode().put("type", "text").put("text", TextMaker.text(dice)));
            }
        }
        return parts;
    }

    private JsonNode systemContent() {
        var content = JsonMaker.JSON.objectNode().put("type", "system_content");
        perhapsText(content, "model_identity");
        if (dice.percent(80)) {
            content.put("reasoning_effort", dice.of(List.of("Low", "Medium", "High")));
        }
        addTools(content, 40);
        perhapsText(content, "conversation_start_date");
        perhapsText(content, "knowledge_cutoff");
        if (dice.percent(75)) {
            var config = content.putObject("channel_config");
            var channels = config.putArray("valid_channels");
            for (int i = dice.between(0, 4); i > 0; i--) {
                channels.add(dice.of(CHANNELS));
            }
            config.put("channel_required", dice.toss());
        }
        return content;
    }

    private JsonNode developerContent() {
        var content = JsonMaker.JSON.objectNode().put("type", "developer_content");
        perhapsText(content, "instructions");
        addTools(content, 75);
        return content;
    }

    private void perhapsText(ObjectNode content, String member) {
        if (dice.percent(70)) {
            content.put(member, dice.percent(20) ? "" : TextMaker.text(dice));
        } else if (dice.toss()) {
            content.putNull(member);
        }
    }

    private void addTools(ObjectNode content, int chance) {
        if (!dice.percent(chance)) {
            return;
        }
        var namespaces = content.putObject("tools");
        for (int i = dice.percent(70) ? 1 : dice.between(0, 4); i > 0; i--) {
            // A namespace's key is always its name, as in the references' own builders.
            var name = dice.of(NAMESPACES);
            namespaces.set(name, namespace(name));
        }
    }

    private JsonNode namespace(String name) {
        if (name.equals("browser") && dice.toss()) {
            return WireTools.json(BuiltInNamespaces.browser());
        }
        if (name.equals("python") && dice.toss()) {
            return WireTools.json(BuiltInNamespaces.python());
        }
        var namespace = JsonMaker.JSON.objectNode().put("name", name);
        if (dice.percent(30)) {
            namespace.put("description", lines());
        } else if (dice.toss()) {
            namespace.putNull("description");
        }
        var tools = namespace.putArray("tools");
        for (int i = dice.percent(10) ? 0 : dice.between(1, 3); i > 0; i--) {
            var tool = tools.addObject().put("name", TextMaker.word(dice)).put("description", lines());
            if (dice.percent(85)) {
                tool.set("parameters", SchemaMaker.parameters(dice));
            }
        }
        return namespace;
    }

    private String lines() {
        var lines = new StringBuilder();
        for (int i = dice.between(0, 3); i > 0; i--) {
            lines.append(TextMaker.text(dice, 3))
                    .append(dice.of(List.of("", "\n", "\n\n", "\r\n", "\r", "\n\r", "\u2028")));
        }
        return lines.toString();
    }
}
