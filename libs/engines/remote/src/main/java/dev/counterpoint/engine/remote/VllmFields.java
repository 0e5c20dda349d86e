package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.http.ServerFailure;
import org.jspecify.annotations.Nullable;

/// Fields that vLLM's two endpoints have in common.
final class VllmFields {
    private static final double BIAS_MAX = 100;
    /// 0.32.0, `sampling_params.py`, `_validate_structured_outputs`.
    private static final String WITHOUT_TOKENIZER = "does not tokenize, as with --tokens-only, and so holds nothing to"
            + " a schema: start it with --enable-scale-out";

    private VllmFields() {}

    /// The model, and the tokens after which it goes on.
    ///
    /// @param name of the field with the ids
    static ObjectNode begin(String name, ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        if (ask.model() != null) {
            body.put("model", ask.model());
        }
        CommonFields.addIds(body, name, ask);
        return body;
    }

    /// Everything that the model's `generation_config.json` could set otherwise is said.
    static void addSampling(ObjectNode to, ServerRequest ask) {
        var sampling = ask.sampling();
        // Without it older versions stop after 16.
        to.put("max_tokens", ask.maxTokens());
        CommonFields.addSampling(to, ask);
        to.put("top_k", -1);
        to.put("repetition_penalty", 1.0);
        if (ask.seed() != null) {
            to.put("seed", ask.seed());
        }
        if (sampling.topLogprobs() != null) {
            to.put("logprobs", sampling.topLogprobs());
        }
        CommonFields.addStopTokens(to, ask);
        // Else the model's own stop tokens end the output too.
        to.put("ignore_eos", true);
        to.put("include_stop_str_in_output", true);
        to.put("skip_special_tokens", false);
        addMask(to, ask);
        if (ask.grammar() != null) {
            to.putObject("structured_outputs").put("grammar", ask.grammar());
        }
    }

    private static void addMask(ObjectNode to, ServerRequest ask) {
        var bias = ask.withBans(ask.biasOfOutput(), -BIAS_MAX);
        if (!bias.isEmpty()) {
            var field = to.putObject("logit_bias");
            bias.forEach((token, value) -> field.put(token.toString(), Math.clamp(value, -BIAS_MAX, BIAS_MAX)));
        }
        if (!ask.only().isEmpty()) {
            var field = to.putArray("allowed_token_ids");
            ask.only().stream().sorted().forEach(field::add);
        }
    }

    /// What concerns the request and not the drawing. An empty salt is an error to the server.
    static void addRequest(ObjectNode to, ServerRequest ask) {
        to.put("stream", true);
        to.putObject("stream_options").put("include_usage", true);
        if (ask.priority() != null) {
            to.put("priority", ask.priority());
        }
        if (!ask.cacheSalt().isEmpty()) {
            to.put("cache_salt", ask.cacheSalt());
        }
    }

    /// What vLLM says of itself, 0.32.0: `entrypoints/serve/instrumentator/basic.py` (`/version`),
    /// `entrypoints/openai/models/serving.py` (`max_model_len`), `entrypoints/serve/tokenize/protocol.py`.
    static ServerProfile profile(ServerQuestioning questions) throws UnfitServerException, InterruptedException {
        var version = questions.get("/version").path("version").asText();
        var context = CommonFields.count(questions.model().path("max_model_len"));
        boolean tokenizes = questions.requireHarmony(
                JsonNodeFactory.instance.objectNode().put("add_special_tokens", false), "prompt");
        var told = ServerProfile.UNKNOWN.withVersion(version).withSizes(context, null);
        return tokenizes ? told : told.withWarning(WITHOUT_TOKENIZER);
    }

    /// What an event tells that has no choice: how much of the prompt the server had already, with
    /// `--enable-prompt-tokens-details`.
    static TokenChunk usage(JsonNode event) {
        return TokenChunk.ofCached(CommonFields.count(
                event.path("usage").path("prompt_tokens_details").path("cached_tokens")));
    }

    /// Of an event; null when it only tells how many tokens were used. Errors come inside a stream of status 200 too.
    static @Nullable JsonNode choice(JsonNode event) throws ServerFailure {
        if (event.has("error") || "error".equals(event.path("object").asText())) {
            throw CommonFields.error(event.has("error") ? event.path("error") : event);
        }
        if (!event.path("choices").isArray()) {
            throw ServerFailure.wrong("an event has no choices");
        }
        return event.path("choices").isEmpty() ? null : event.path("choices").get(0);
    }
}
