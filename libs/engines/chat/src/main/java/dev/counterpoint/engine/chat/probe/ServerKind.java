package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import org.jspecify.annotations.Nullable;

/// Servers that serve Chat Completions and say who they are.
public enum ServerKind {
    OLLAMA("Ollama", true, true),
    LLAMA_SERVER("llama-server", true, true),
    VLLM("vLLM", true, true),
    SGLANG("SGLang", true, true),
    LM_STUDIO("LM Studio", true, false),
    MLX("mlx_lm", false, true),
    LITELLM("LiteLLM", false, false),
    /// A hosted API, a proxy, or a server that does not identify itself.
    OTHER("a server of Chat Completions", false, false);

    /// Ollama's own switch, the only one that it takes: https://github.com/ollama/ollama/issues/14820
    private static final ThinkingSwitch EFFORT = new ThinkingSwitch(
            Setting.NONE, new Setting(JsonNodeFactory.instance.objectNode().put("reasoning_effort", "none"), ""), true);

    private final String text;
    private final boolean schemas;
    private final boolean arguments;

    ServerKind(String text, boolean schemas, boolean arguments) {
        this.text = text;
        this.schemas = schemas;
        this.arguments = arguments;
    }

    boolean enforcesSchemas() {
        return schemas;
    }

    /// Whether it takes arguments of the chat template, or ignores them, and does not refuse the request.
    boolean takesTemplateArguments() {
        return arguments;
    }

    /// The switch of models that can think, where the server takes no other; null where it takes the
    /// family's.
    @Nullable
    ThinkingSwitch ownSwitch() {
        return this == OLLAMA ? EFFORT : null;
    }

    /// For people.
    public String text() {
        return text;
    }
}
