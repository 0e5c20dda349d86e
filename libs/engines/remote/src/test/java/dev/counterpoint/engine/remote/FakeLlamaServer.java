package dev.counterpoint.engine.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.engine.testkit.FakeHttpServer.Exchange;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// llama-server with a gpt-oss model, as its `server-context.cpp` and `server-task.cpp` answer: an
/// event for each token that completes a character, with the token's id only, and one at the end.
final class FakeLlamaServer extends FakeInference {
    private static final int MAX_TOKENS_DEFAULT = 4096;
    private static final Set<Integer> EOG = Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);

    /// Of whatever it is sent.
    static final int CACHED = 3;

    FakeLlamaServer() {
        super("/completion");
    }

    @Override
    @Nullable
    JsonNode fact(String target) {
        return switch (target) {
            case "GET /props" ->
                json("{'build_info':'b11434','total_slots':4,'default_generation_settings':{'n_ctx':%d}}"
                        .formatted(contextLength()));
            case "GET /v1/models" -> models("llamacpp");
            default -> null;
        };
    }

    @Override
    Params params(JsonNode request) {
        check(request.path("stream").asBoolean(), "this test streams");
        check(request.path("stop").isMissingNode(), "stop has strings only");
        return new Params(
                ids(request.path("prompt")),
                request.path("n_predict").asInt(MAX_TOKENS_DEFAULT),
                EOG,
                biasOf(request),
                Set.of(),
                request.path("presence_penalty").asDouble(),
                request.path("frequency_penalty").asDouble(),
                true,
                Draw.of(request, "seed"));
    }

    /// Pairs of id and number, or `false` for never.
    private static Map<Integer, Double> biasOf(JsonNode request) {
        var bias = new HashMap<Integer, Double>();
        for (var pair : request.path("logit_bias")) {
            double value = pair.path(1).isBoolean()
                    ? Double.NEGATIVE_INFINITY
                    : pair.path(1).doubleValue();
            bias.merge(pair.path(0).intValue(), value, Double::sum);
        }
        return bias;
    }

    @Override
    void begin(JsonNode request, Exchange exchange) throws IOException {
        exchange.beginEvents();
        if (request.path("return_progress").asBoolean()) {
            var event = event("", 0);
            // The token of this event was never set.
            event.putArray("tokens").add(0);
            event.putObject("prompt_progress")
                    .put("total", 2)
                    .put("cache", CACHED)
                    .put("processed", 1);
            exchange.data(event);
        }
        exchange.send(":\n\n");
    }

    @Override
    void write(Burst burst, JsonNode request, Exchange exchange) throws IOException {
        var pending = new ByteArrayOutputStream();
        for (int i = 0; i < burst.all().size(); i++) {
            int token = burst.all().get(i);
            if (!SpecialTokens.isSpecial(token)) {
                pending.writeBytes(HarmonyTokenizer.shared().bytes(token));
            }
            if (isIncomplete(pending.toByteArray())) {
                continue;
            }
            if (i >= burst.before()) {
                var event = event(pending.toString(StandardCharsets.UTF_8), i + 1);
                event.putArray("tokens").add(token);
                if (request.path("n_probs").intValue() > 0) {
                    probabilities(token, burst.thoughts().get(i), request, event);
                }
                exchange.data(event);
            }
            pending.reset();
        }
    }

    private static ObjectNode event(String content, int predicted) {
        return JSON.createObjectNode()
                .put("index", 0)
                .put("content", content)
                .put("stop", false)
                .put("id_slot", -1)
                .put("tokens_predicted", predicted);
    }

    /// Whether it ends inside a character, by the lead byte that is nearest to the end.
    private static boolean isIncomplete(byte[] bytes) {
        for (int back = 1; back <= Math.min(3, bytes.length); back++) {
            int lead = bytes[bytes.length - back] & 0xFF;
            int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
            if (length > 0) {
                return length > back;
            }
        }
        return false;
    }

    private static void probabilities(int token, FakeModel thought, JsonNode request, ObjectNode event) {
        var entry = event.putArray("completion_probabilities").addObject();
        entry.put("id", token).put("token", "").put("logprob", thought.logprob(token));
        var top = entry.putArray("top_logprobs");
        for (int other : thought.top(request.path("n_probs").intValue())) {
            top.addObject().put("id", other).put("token", "").put("logprob", thought.logprob(other));
        }
    }

    @Override
    void end(Burst last, JsonNode request, Exchange exchange) throws IOException {
        var event = event("", last.all().size()).put("stop", true);
        event.putArray("tokens");
        event.put("stop_type", "stop".equals(last.finish()) ? "eos" : "limit").put("stopping_word", "");
        event.put("truncated", false);
        exchange.data(event);
    }
}
