package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.openai.json.WireJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The arguments of a model's chat template that a request names.
record TemplateArguments(Map<String, JsonNode> arguments) {
    static final String MEMBER = "chat_template_kwargs";
    private static final int BYTES_MAX = 4 * 1024;

    /// Arguments that tell a model to think or not to. How its text is told apart depends on that, so it is
    /// the gateway's to say: off is a request without reasoning, and the others have no effect.
    private static final Set<String> THINKING = Set.of(
            "enable_thinking",
            "thinking",
            "think",
            "reasoning",
            "enable_reasoning",
            "thinking_budget",
            "reasoning_budget",
            "thinking_mode",
            "reasoning_mode",
            "reasoning_effort");

    /// Arguments that would take the place of the request itself: its messages, its tools, its template.
    private static final Set<String> REFUSED = Set.of(
            "messages",
            "conversation",
            "tools",
            "chat_template",
            "add_generation_prompt",
            "continue_final_message",
            "tokenize",
            "tokenizer_kwargs",
            "return_dict",
            "return_tensors",
            "return_assistant_tokens_mask",
            "padding",
            "truncation",
            "max_length",
            "bos_token",
            "eos_token");

    TemplateArguments {
        arguments = new LinkedHashMap<>(arguments);
    }

    static TemplateArguments of(@Nullable Map<String, JsonNode> arguments) {
        return new TemplateArguments(arguments == null ? Map.of() : arguments);
    }

    /// @throws dev.counterpoint.openai.json.WireException that names the argument
    void check() {
        for (var name : arguments.keySet()) {
            if (REFUSED.contains(name)) {
                throw RequestRules.unsupported(
                        MEMBER + "." + name, "It would take the place of what the request says elsewhere.");
            }
        }
        RequestRules.require(
                text(arguments).getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX,
                MEMBER,
                "at most " + BYTES_MAX + " bytes are taken.");
    }

    /// Paths of the arguments without an effect.
    Set<String> withoutEffect() {
        return arguments.entrySet().stream()
                .filter(argument -> THINKING.contains(argument.getKey()) && !isOff(argument.getValue()))
                .map(argument -> MEMBER + "." + argument.getKey())
                .collect(Collectors.toSet());
    }

    /// True if they switch the model's thinking off.
    boolean thinksNot() {
        return arguments.entrySet().stream()
                .anyMatch(argument -> THINKING.contains(argument.getKey()) && isOff(argument.getValue()));
    }

    private static boolean isOff(JsonNode value) {
        return switch (value.getNodeType()) {
            case BOOLEAN -> !value.booleanValue();
            case NUMBER -> value.doubleValue() == 0;
            case STRING -> value.textValue().equals("none");
            case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> false;
        };
    }

    /// Those that go to the model's server, as JSON; empty for none.
    String text() {
        var others = new LinkedHashMap<>(arguments);
        others.keySet().removeAll(THINKING);
        return text(others);
    }

    private static String text(Map<String, JsonNode> arguments) {
        return arguments.isEmpty() ? "" : WireJson.tree(arguments).toString();
    }

    /// Arguments may hold content.
    @Override
    public String toString() {
        return "TemplateArguments[" + arguments.size() + "]";
    }
}
