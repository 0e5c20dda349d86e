package dev.counterpoint.engine.chat.probe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.engine.chat.family.ThinkingSwitch;
import dev.counterpoint.engine.chat.family.ThinkingSwitch.Setting;
import org.jspecify.annotations.Nullable;

/// Servers that serve Chat Completions and say who they are.
public enum ServerKind {
    OLLAMA("Ollama"),
    LLAMA_SERVER("llama-server"),
    VLLM("vLLM"),
    SGLANG("SGLang"),
    LM_STUDIO("LM Studio"),
    MLX("mlx_lm"),
    LITELLM("LiteLLM"),
    /// A hosted API, a proxy, or a server that does not say who it is.
    OTHER("a server of Chat Completions");

    /// Ollama's own switch, the only one that it takes: https://github.com/ollama/ollama/issues/14820
    private static final ThinkingSwitch EFFORT = new ThinkingSwitch(
            Setting.NONE, new Setting(JsonNodeFactory.instance.objectNode().put("reasoning_effort", "none"), ""), true);

    private final String text;

    ServerKind(String text) {
        this.text = text;
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
