package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// vLLM with a gpt-oss model, as its `completion/serving.py` and `serve/disagg/serving.py` answer.
final class FakeVllm extends FakeInference {
    static final int CONTEXT_LENGTH = 1024;
    private static final int MAX_TOKENS_DEFAULT = 16;
    private static final double BIAS_MAX = 100;
    /// `vllm/v1/worker/gpu/sample/logit_bias.py` of 0.32.0 and 0.33.0: `MAX_NUM_LOGIT_BIAS_TOKENS` and
    /// `MAX_NUM_ALLOWED_TOKEN_IDS`; `MAX_NUM_STOP_TOKEN_IDS` counts with `min_tokens` only. More raises in
    /// `add_request`, within the engine's process.
    private static final int BIASES_MAX = 1024;

    private static final int STOPS_MAX = 128;
    /// Stop tokens of gpt-oss' sampling defaults: merged into those of every request.
    private static final Set<Integer> MERGED = Set.of(SpecialTokens.CALL);
    /// End the output unless the request says `ignore_eos`.
    private static final Set<Integer> EOS = Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);

    private final boolean tokens;
    /// Older versions leave it out of the ids and name it only as the reason.
    private volatile boolean leavesStopOut;

    private volatile boolean namesByText;

    /// Drafts tokens ahead: `vllm/sampling_params.py` of 0.33.0, `_validate_spec_decode`.
    private volatile boolean drafts;
    /// `/inference/v1/generate` without `--enable-scale-out`.
    private volatile boolean closed;
    /// An engine that was sent more than it holds: `vllm/v1/worker/gpu/sample/logit_bias.py` of 0.33.0,
    /// `MAX_NUM_LOGIT_BIAS_TOKENS` and `MAX_NUM_ALLOWED_TOKEN_IDS`, whose `ValueError` ends the engine's process.
    private volatile boolean dead;
    /// With `--enable-prompt-tokens-details`; null without.
    private volatile @Nullable Integer cached;

    private FakeVllm(String path, boolean tokens, int port) {
        super(path, port);
        this.tokens = tokens;
    }

    /// `/v1/completions`.
    static FakeVllm completions() {
        return completionsAt(0);
    }

    static FakeVllm completionsAt(int port) {
        return new FakeVllm("/v1/completions", false, port);
    }

    /// `/inference/v1/generate`.
    static FakeVllm tokens() {
        return new FakeVllm("/inference/v1/generate", true, 0);
    }

    /// With `--runner pooling`: neither path.
    static FakeVllm embedding() {
        return new FakeVllm("/v1/embeddings", false, 0);
    }

    void leaveStopOut() {
        leavesStopOut = true;
    }

    /// As versions before 0.32 name the tokens of log probabilities.
    void nameByText() {
        namesByText = true;
    }

    void draft() {
        drafts = true;
    }

    void closeTokens(boolean now) {
        closed = now;
    }

    boolean isTokens() {
        return tokens;
    }

    boolean dead() {
        return dead;
    }

    void tellsCached(int count) {
        cached = count;
    }

    @Override
    @Nullable
    JsonNode fact(String target) {
        return switch (target) {
            case "GET /version" -> json("{'version':'0.32.0'}");
            case "GET /v1/models" -> models("vllm");
            default -> null;
        };
    }

    @Override
    @Nullable
    Integer refusal(JsonNode request) {
        return closed ? Integer.valueOf(403) : null;
    }

    private void checkBiases(JsonNode sampling) {
        check(
                !drafts || sampling.path("logit_bias").isEmpty(),
                "The min_p and logit_bias sampling parameters are not yet supported with speculative decoding.");
        boolean waits = sampling.path("min_tokens").asInt() > 0;
        if (sampling.path("logit_bias").size() > BIASES_MAX
                || sampling.path("allowed_token_ids").size() > BIASES_MAX
                || waits && sampling.path("stop_token_ids").size() > STOPS_MAX) {
            dead = true;
            isWell(false);
            throw new IllegalStateException("EngineCore encountered a fatal error");
        }
    }

    private JsonNode sampling(JsonNode request) {
        return tokens ? request.path("sampling_params") : request;
    }

    @Override
    Params params(JsonNode request) {
        var sampling = sampling(request);
        checkBiases(sampling);
        int[] ids = ids(request.path(tokens ? "token_ids" : "prompt"));
        int max = sampling.path("max_tokens").asInt(MAX_TOKENS_DEFAULT);
        check(ids.length + max <= contextLength(), "maximum context length");
        check(!request.has("cache_salt") || !request.path("cache_salt").asText().isEmpty(), "cache_salt is empty");
        check(sampling.path("logprobs").asInt() <= 20, "logprobs");
        check(
                !sampling.has("allowed_token_ids")
                        || !sampling.path("allowed_token_ids").isEmpty(),
                "allowed_token_ids");
        check(request.path("stream").asBoolean(), "this test streams");
        var stops = new HashSet<>(idSet(sampling.path("stop_token_ids")));
        stops.addAll(MERGED);
        if (!sampling.path("ignore_eos").asBoolean()) {
            stops.addAll(EOS);
        }
        var bias = new HashMap<>(bias(sampling.path("logit_bias")));
        bias.replaceAll((_, value) -> Math.clamp(value, -BIAS_MAX, BIAS_MAX));
        return new Params(
                ids,
                max,
                stops,
                bias,
                idSet(sampling.path("allowed_token_ids")),
                sampling.path("presence_penalty").asDouble(),
                sampling.path("frequency_penalty").asDouble(),
                false,
                Draw.of(sampling, "seed"));
    }

    @Override
    void begin(JsonNode request, Exchange exchange) throws IOException {
        exchange.beginEvents();
    }

    @Override
    void write(Burst burst, JsonNode request, Exchange exchange) throws IOException {
        var event = JSON.createObjectNode();
        var choice = event.putArray("choices").addObject().put("index", 0);
        boolean stopped = "stop".equals(burst.finish());
        int shown = burst.fresh() - (stopped && leavesStopOut ? 1 : 0);
        choice.put("finish_reason", burst.finish());
        if (tokens) {
            if (shown == 0) {
                // The terminal event is dropped when it has no token:
                // github.com/vllm-project/vllm/pull/47933
                return;
            }
        } else {
            choice.put("text", "");
            if (stopped) {
                choice.put("stop_reason", burst.last());
            }
            if (burst.before() == 0 && request.path("return_token_ids").asBoolean()) {
                choice.set("prompt_token_ids", request.path("prompt"));
            }
        }
        if (tokens || request.path("return_token_ids").asBoolean()) {
            var ids = choice.putArray("token_ids");
            burst.all().subList(burst.before(), burst.before() + shown).forEach(ids::add);
        }
        if (sampling(request).has("logprobs")) {
            logprobs(burst, shown, request, choice.putObject("logprobs"));
        }
        exchange.data(event);
    }

    private void logprobs(Burst burst, int shown, JsonNode request, ObjectNode to) {
        int count = sampling(request).path("logprobs").intValue();
        for (int i = burst.before(); i < burst.before() + shown; i++) {
            int token = burst.all().get(i);
            var thought = burst.thoughts().get(i);
            if (tokens) {
                tokenLogprobs(token, thought, count, to.withArray("content").addObject());
            } else {
                var name = request.path("return_tokens_as_token_ids").asBoolean() ? "token_id:" + token : "text";
                to.withArray("tokens").add(name);
                to.withArray("token_logprobs").add(logprob(thought, token));
                // One more than asked for: the chosen token comes first and may come again.
                var top = to.withArray("top_logprobs").addObject();
                top.put(name, logprob(thought, token));
                for (int other : thought.top(count)) {
                    top.put("token_id:" + other, logprob(thought, other));
                }
            }
        }
    }

    /// The chosen token takes the place of one of the best. As `GenerateLogProb` of vLLM 0.32.0 has them, in
    /// `vllm/entrypoints/scale_out/token_in_token_out/protocol.py`.
    private void tokenLogprobs(int token, FakeModel thought, int count, ObjectNode to) {
        named(token, to).put("logprob", logprob(thought, token));
        var top = to.putArray("top_logprobs");
        named(token, top.addObject()).put("logprob", logprob(thought, token));
        for (int other : thought.top(Math.max(count, 1))) {
            if (other != token && top.size() < Math.max(count, 1)) {
                named(other, top.addObject()).put("logprob", logprob(thought, other));
            }
        }
    }

    private ObjectNode named(int token, ObjectNode to) {
        return namesByText ? to.put("token", "token_id:" + token) : to.put("token_id", token);
    }

    private static double logprob(FakeModel thought, int token) {
        return Math.max(thought.logprob(token), TokenIds.UNKNOWN_LOGPROB);
    }

    @Override
    void end(Burst last, JsonNode request, Exchange exchange) throws IOException {
        // `completion/serving.py` of 0.33.0: the details are left out without the flag, and all of it unasked.
        if (request.path("stream_options").path("include_usage").asBoolean()) {
            var event = JSON.createObjectNode();
            event.putArray("choices");
            var usage =
                    event.putObject("usage").put("completion_tokens", last.all().size());
            if (cached != null) {
                usage.putObject("prompt_tokens_details").put("cached_tokens", cached);
            }
            exchange.data(event);
        }
        exchange.data("[DONE]");
    }
}
