package dev.counterpoint.engine.http;

import java.util.regex.Pattern;

/// Reads from the body of a refusal what is wrong. Servers agree on no code for it, so their words are
/// searched, too: OpenAI and vLLM (`context_length_exceeded`, `maximum context length`), llama-server
/// (`exceed_context_size_error`), Anthropic (`prompt is too long`), Google (`exceeds the maximum number of
/// tokens`), Ollama and LM Studio (`context length`, `context overflow`).
final class RefusalText {
    private static final Pattern LENGTH = Pattern.compile(
            "context[ _-]?(?:length|size|window|overflow|limit)|exceed_context|maximum (?:number of |input )?tokens"
                    + "|(?:prompt|input|request|messages?) (?:is|are|was) too (?:long|large)|too many (?:input )?tokens"
                    + "|max_seq_len|max_model_len|reduce the length",
            Pattern.CASE_INSENSITIVE);
    /// vLLM and Ollama (`model … does not exist`, `model … not found`), OpenAI and Groq (`model_not_found`),
    /// OpenRouter (`not a valid model ID`), LiteLLM (`Invalid model name`).
    private static final Pattern MODEL = Pattern.compile(
            "model_not_found|\\bmodel\\b.{0,200}?(?:not found|(?:does )?not exist)"
                    + "|(?:invalid|unknown|no such|not a valid) model",
            Pattern.CASE_INSENSITIVE);

    private RefusalText() {}

    /// True if the request is too long for the model.
    static boolean tellsOfLength(String body) {
        return LENGTH.matcher(body).find();
    }

    /// True if the server has no model of the name that the request asks for.
    static boolean tellsOfModel(String body) {
        return MODEL.matcher(body).find();
    }
}
