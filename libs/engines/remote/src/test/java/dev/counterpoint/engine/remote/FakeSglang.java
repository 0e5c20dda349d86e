package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// SGLang with a gpt-oss model, as its `http_server.py` and `tokenizer_manager.py` answer.
final class FakeSglang extends FakeInference {
    private static final int MAX_TOKENS_DEFAULT = 128;
    private static final Set<Integer> EOS = Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);

    /// What an event holds of the output.
    enum Streaming {
        /// All of it: the default.
        CUMULATIVE,
        /// What is new.
        INCREMENTAL,
        /// New ids, but the log probabilities of all, as before
        /// github.com/sgl-project/sglang/pull/21583
        INCREMENTAL_IDS
    }

    private final Streaming streaming;
    /// Some versions and routers take the stop token out of the ids and still count it:
    /// github.com/ai-dynamo/dynamo/pull/14317
    private volatile boolean leavesStopOut;
    private volatile String arguments = "'speculative_algorithm':null";

    /// Of whatever it is sent.
    static final int CACHED = 2;
    /// Below the context; the real one of `-Psglang` refuses a prompt of more.
    private static final int PROMPT_KEPT_FREE = 6;

    FakeSglang(Streaming streaming) {
        super("/generate");
        this.streaming = streaming;
    }

    void leaveStopOut() {
        leavesStopOut = true;
    }

    /// `get_server_info` in `entrypoints/http_server.py` of 0.5.23: all arguments and the scheduler's limits.
    @Override
    @Nullable
    JsonNode fact(String target) {
        return switch (target) {
            case "GET /get_server_info" ->
                json("{'version':'0.5.23','max_total_num_tokens':400000,'max_running_requests':64,%s,%s}"
                        .formatted("'incremental_streaming_output':" + (streaming != Streaming.CUMULATIVE), arguments));
            case "GET /v1/models" -> models("sglang");
            default -> null;
        };
    }

    /// More of them, as members in single quotes.
    void runsWith(String members) {
        arguments = members;
    }

    @Override
    Params params(JsonNode request) {
        var sampling = request.path("sampling_params");
        check(request.path("stream").asBoolean(), "this test streams");
        check(
                request.path("input_ids").size() < contextLength() - PROMPT_KEPT_FREE,
                "Input length exceeds the maximum allowed length");
        var stops = new HashSet<Integer>();
        if (!sampling.path("ignore_eos").asBoolean()) {
            // It switches the request's own stop tokens off too.
            stops.addAll(EOS);
            stops.addAll(idSet(sampling.path("stop_token_ids")));
        }
        return new Params(
                ids(request.path("input_ids")),
                sampling.path("max_new_tokens").asInt(MAX_TOKENS_DEFAULT),
                stops,
                new HashMap<>(bias(sampling.path("logit_bias"))),
                Set.of(),
                sampling.path("presence_penalty").asDouble(),
                sampling.path("frequency_penalty").asDouble(),
                false,
                Draw.of(sampling, "sampling_seed"));
    }

    @Override
    void begin(JsonNode request, Exchange exchange) throws IOException {
        exchange.beginEvents();
    }

    @Override
    void write(Burst burst, JsonNode request, Exchange exchange) throws IOException {
        boolean stopped = "stop".equals(burst.finish());
        int shown = burst.all().size() - (stopped && leavesStopOut ? 1 : 0);
        var event = JSON.createObjectNode().put("text", "");
        var ids = event.putArray("output_ids");
        int firstId = streaming == Streaming.CUMULATIVE ? 0 : burst.before();
        burst.all().subList(Math.min(firstId, shown), shown).forEach(ids::add);
        var meta = event.putObject("meta_info");
        meta.put("id", "fake").put("completion_tokens", burst.all().size()).put("cached_tokens", CACHED);
        meta.set("finish_reason", finishReason(burst));
        if (request.path("return_logprob").asBoolean()) {
            int firstEntry = streaming == Streaming.INCREMENTAL ? burst.before() : 0;
            logprobs(burst, firstEntry, request.path("top_logprobs_num").intValue(), meta);
        }
        exchange.data(event);
    }

    private static JsonNode finishReason(Burst burst) {
        if (burst.finish() == null) {
            return JSON.nullNode();
        }
        var reason = JSON.createObjectNode().put("type", burst.finish());
        return "stop".equals(burst.finish())
                ? reason.put("matched", burst.last())
                : reason.put("length", burst.all().size());
    }

    private static void logprobs(Burst burst, int from, int count, ObjectNode meta) {
        var chosen = meta.putArray("output_token_logprobs");
        var top = meta.putArray("output_top_logprobs");
        for (int i = from; i < burst.all().size(); i++) {
            var thought = burst.thoughts().get(i);
            entry(thought, burst.all().get(i), chosen);
            var best = top.addArray();
            for (int other : thought.top(count)) {
                entry(thought, other, best);
            }
        }
    }

    private static void entry(FakeModel thought, int token, ArrayNode to) {
        to.addArray().add(thought.logprob(token)).add(token).addNull();
    }

    @Override
    void end(Burst last, JsonNode request, Exchange exchange) throws IOException {
        exchange.data("[DONE]");
    }
}
