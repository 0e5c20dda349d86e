package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.GrammarNotation;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.http.ServerFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// vLLM, 0.10.2 or newer, with ids instead of text.
public final class VllmDialect extends ServerDialect {
    public static final VllmDialect COMPLETIONS = new VllmDialect("/v1/completions");
    /// For a version whose token endpoint streams: ids in and out, no text at all.
    public static final VllmDialect TOKENS = new VllmDialect("/inference/v1/generate");

    private static final double BIAS_MAX = 100;
    private static final Set<Integer> HAS_NO_PATH = Set.of(404, 405, 501);
    private static final int FORBIDDEN = 403;
    /// 0.32.0, `sampling_params.py`, `_validate_structured_outputs`.
    private static final String WITHOUT_TOKENIZER = "does not tokenize, as with --tokens-only, and so holds nothing to"
            + " a schema: start it with --enable-scale-out";

    private VllmDialect(String path) {
        super("vLLM", path, GrammarNotation.XGRAMMAR);
    }

    @Override
    boolean mayOrder() {
        return true;
    }

    @Override
    boolean tellsUsageAtTheEnd() {
        return true;
    }

    @Override
    String refusal(ServerFailure failure) {
        int status = failure.status();
        if (this == TOKENS && (status == FORBIDDEN || HAS_NO_PATH.contains(status))) {
            return "keeps " + path() + " closed (HTTP " + status
                    + "): start it with --enable-scale-out, or take worker.engine=vllm";
        }
        return HAS_NO_PATH.contains(status)
                ? "has no " + path() + " (HTTP " + status + "): start a vLLM that generates, without --runner pooling"
                : super.refusal(failure);
    }

    /// What vLLM says of itself, 0.32.0: `entrypoints/serve/instrumentator/basic.py` (`/version`),
    /// `entrypoints/openai/models/serving.py` (`max_model_len`), `entrypoints/serve/tokenize/protocol.py`.
    @Override
    ServerProfile profile(ServerQuestioning questions) throws ServerFailure, InterruptedException {
        var version = questions.get("/version").path("version").asText();
        var context = count(questions.model().path("max_model_len"));
        boolean tokenizes = questions.requireHarmony(
                JsonNodeFactory.instance.objectNode().put("add_special_tokens", false), "prompt");
        var warnings = tokenizes ? List.<String>of() : List.of(WITHOUT_TOKENIZER);
        return new ServerProfile(version, context, null, ServerProfile.Priorities.NONE, warnings);
    }

    @Override
    ObjectNode request(ServerRequest ask) {
        var body = JsonNodeFactory.instance.objectNode();
        if (ask.model() != null) {
            body.put("model", ask.model());
        }
        addIds(body, this == TOKENS ? "token_ids" : "prompt", ask);
        if (this == TOKENS) {
            addSampling(body.putObject("sampling_params").put("detokenize", false), ask);
        } else {
            addSampling(body, ask);
            body.put("return_token_ids", true);
            // Names the tokens of log probabilities by id.
            body.put("return_tokens_as_token_ids", true);
        }
        body.put("stream", true);
        body.putObject("stream_options").put("include_usage", true);
        addPriority(body, ask);
        // An empty salt is an error to the server.
        if (!ask.cacheSalt().isEmpty()) {
            body.put("cache_salt", ask.cacheSalt());
        }
        return body;
    }

    private static void addSampling(ObjectNode to, ServerRequest ask) {
        // Without it older versions stop after 16.
        to.put("max_tokens", ask.maxTokens());
        addCommonSampling(to, ask);
        addPythonSampling(to, ask);
        if (ask.seed() != null) {
            to.put("seed", ask.seed());
        }
        if (ask.sampling().topLogprobs() != null) {
            to.put("logprobs", ask.sampling().topLogprobs());
        }
        // Else the model's own stop tokens end the output too.
        to.put("ignore_eos", true);
        to.put("include_stop_str_in_output", true);
        var bias = ask.withBans(ask.biasOfOutput(), -BIAS_MAX);
        bias.replaceAll((_, value) -> Math.clamp(value, -BIAS_MAX, BIAS_MAX));
        addBias(to, bias);
        if (!ask.only().isEmpty()) {
            var field = to.putArray("allowed_token_ids");
            ask.only().stream().sorted().forEach(field::add);
        }
        if (ask.grammar() != null) {
            to.putObject("structured_outputs").put("grammar", ask.grammar());
        }
    }

    /// Errors come inside a stream of status 200 too. An event without a choice only has the number of
    /// cached tokens of the prompt, with `--enable-prompt-tokens-details`.
    @Override
    TokenChunk read(JsonNode event, ServerRequest ask, int seen) throws ServerFailure {
        if (event.has("error") || "error".equals(event.path("object").asText())) {
            throw error(event.has("error") ? event.path("error") : event);
        }
        if (!event.path("choices").isArray()) {
            throw ServerFailure.wrong("an event has no choices");
        }
        if (event.path("choices").isEmpty()) {
            var details = event.path("usage").path("prompt_tokens_details");
            return TokenChunk.ofCached(count(details.path("cached_tokens")));
        }
        var choice = event.path("choices").get(0);
        var stop = choice.path("stop_reason");
        return new TokenChunk(
                tokens(choice, ask),
                finish(choice.path("finish_reason")),
                stop.isInt() ? Integer.valueOf(TokenIds.id(stop)) : null,
                null);
    }

    private List<Step.Token> tokens(JsonNode choice, ServerRequest ask) throws ServerFailure {
        int[] ids = TokenIds.array(choice.path("token_ids"), "token_ids");
        var logprobs = choice.path("logprobs");
        int rated = logprobs.path(this == TOKENS ? "content" : "token_logprobs").size();
        if (ask.sampling().topLogprobs() != null && ids.length > 0 && rated != ids.length) {
            throw ServerFailure.wrong("an event has not one log probability for each token");
        }
        return TokenIds.rated(
                ids,
                ask,
                place -> this == TOKENS
                        ? TokenIds.logprobs(logprobs.path("content").path(place), ask)
                        : logprobs(logprobs, place, ask));
    }

    /// Of the best tokens, and of the chosen one even where it is not among them.
    private static TokenLogprobs logprobs(JsonNode logprobs, int place, ServerRequest ask) throws ServerFailure {
        var alternatives = new ArrayList<Alternative>();
        for (var entry : logprobs.path("top_logprobs").path(place).properties()) {
            alternatives.add(new Alternative(TokenIds.idInText(entry.getKey()), TokenIds.logprob(entry.getValue())));
        }
        return TokenIds.logprobs(logprobs.path("token_logprobs").path(place), alternatives, ask);
    }
}
