package dev.counterpoint.gateway.turn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.job.ModelOptions;
import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Members of a request that OpenAI's API lacks and clients of vLLM, SGLang and llama-server send. Models
/// under a template of their own take them; for a Harmony model they have no effect.
///
/// @param arguments of the chat template, empty for none
public record ModelOptionMembers(
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        Map<String, JsonNode> arguments) {
    private static final String ARGUMENTS = "chat_template_kwargs";
    private static final Set<String> MEMBERS = Set.of("top_k", "min_p", "repetition_penalty", ARGUMENTS);
    private static final int ARGUMENTS_BYTES_MAX = 4 * 1024;
    private static final double PENALTY_MIN = 0.01;
    private static final double PENALTY_MAX = 10;

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

    public ModelOptionMembers {
        arguments = new LinkedHashMap<>(arguments);
    }

    public static ModelOptionMembers of(ChatRequest request) {
        return new ModelOptionMembers(
                request.topK(),
                request.minP(),
                request.repetitionPenalty(),
                Objects.requireNonNullElse(request.chatTemplateKwargs(), Map.of()));
    }

    public static ModelOptionMembers of(CreateResponse request) {
        return new ModelOptionMembers(
                request.topK(),
                request.minP(),
                request.repetitionPenalty(),
                Objects.requireNonNullElse(request.chatTemplateKwargs(), Map.of()));
    }

    /// @throws WireException that names the member
    public void check() {
        RequestRules.integer("top_k", topK, -1, Integer.MAX_VALUE);
        RequestRules.decimal("min_p", minP, 0, 1);
        RequestRules.decimal("repetition_penalty", repetitionPenalty, PENALTY_MIN, PENALTY_MAX);
        for (var name : arguments.keySet()) {
            if (REFUSED.contains(name)) {
                throw RequestRules.unsupported(
                        ARGUMENTS + "." + name, "It would take the place of what the request says elsewhere.");
            }
        }
        RequestRules.require(
                text(arguments).getBytes(StandardCharsets.UTF_8).length <= ARGUMENTS_BYTES_MAX,
                ARGUMENTS,
                "at most " + ARGUMENTS_BYTES_MAX + " bytes are taken.");
    }

    /// Paths of those without an effect.
    ///
    /// @param taken whether the model takes them at all
    public Set<String> withoutEffect(boolean taken) {
        if (!taken) {
            return MEMBERS;
        }
        var paths = new HashSet<String>();
        arguments.forEach((name, value) -> {
            if (THINKING.contains(name) && !isOff(value)) {
                paths.add(ARGUMENTS + "." + name);
            }
        });
        return paths;
    }

    /// True if the model is told not to think.
    public boolean thinksNot() {
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

    /// The options of a job.
    ///
    /// @param effortSaid whether the request names an effort
    /// @param parallelCalls as the request says
    public ModelOptions options(boolean effortSaid, @Nullable Boolean parallelCalls) {
        var others = new LinkedHashMap<>(arguments);
        others.keySet().removeAll(THINKING);
        return new ModelOptions(effortSaid, parallelCalls, topK, minP, repetitionPenalty, text(others));
    }

    private static String text(Map<String, JsonNode> arguments) {
        return arguments.isEmpty() ? "" : WireJson.tree(arguments).toString();
    }

    /// Arguments may hold content.
    @Override
    public String toString() {
        return "ModelOptionMembers[arguments=" + arguments.size() + "]";
    }
}
