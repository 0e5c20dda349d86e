package dev.counterpoint.engine.chat.probe;

/// Servers that serve Chat Completions and identify themselves.
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

    /// For people.
    public String text() {
        return text;
    }
}
