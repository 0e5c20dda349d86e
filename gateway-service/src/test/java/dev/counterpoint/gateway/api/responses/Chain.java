package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.ResponseObject;
import dev.counterpoint.prompt.PromptRenderer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.ConfigProvider;

/// A conversation of one caller, carried on in one of the ways that the API has, each turn delivered in one of the ways
/// that it has. Not thread-safe.
final class Chain {
    private static final String PATH = "/v1/responses";
    private static final Duration POLLING_MAX = Duration.ofMinutes(1);
    private static final String TOOLS = "\"tools\":[{\"type\":\"function\",\"name\":\"add\"}]";

    private final Way way;
    private final String tenant;
    private final Api caller;
    private final boolean raw;
    private final String conversation;
    private final ArrayNode whole = (ArrayNode) tree("[]");
    private final Map<String, String> blobs = new HashMap<>();
    private final Map<String, String> calls = new HashMap<>();
    private String last = "";
    private List<String> open = List.of();

    /// How a request says what came before.
    enum Way {
        PREVIOUS_RESPONSE,
        CONVERSATION,
        WHOLE
    }

    /// How a response reaches its caller.
    enum Delivery {
        STREAM,
        AT_ONCE,
        BACKGROUND,
        BACKGROUND_STREAM
    }

    /// What became of a turn, without what differs from chain to chain.
    ///
    /// @param prompt the tokens that the model was asked with
    /// @param response as the caller got it
    record Told(List<Integer> prompt, JsonNode response) {}

    Chain(Way way, String tenant, boolean raw) {
        this.way = way;
        this.tenant = tenant;
        this.raw = raw;
        caller = Api.ofTenant(tenant, raw ? "reasoning:raw" : "reasoning:summary");
        conversation = caller.post("/v1/conversations", "{}").json().path("id").asText();
    }

    /// Asks, answers the open calls, and checks that the response is the same object however it is had.
    Told turn(int number, RandomTurn turn, Delivery delivery) {
        var input = input(number);
        FakeModels.next(submission -> turn.says(raw, run -> seal(number + "." + run, submission)));
        var request = request(input, delivery);
        var counted = caller.post(PATH + "/input_tokens", request).json();
        var told = deliver(request, delivery);
        var id = new TurnIds(FakeModels.last().generation().id()).response();
        var replayed = lastResponse(caller.get(PATH + "/" + id + "?stream=true"));
        var stored = caller.get(PATH + "/" + id + "?include=reasoning.encrypted_content")
                .json();
        if (told.has("error") && !told.has("id")) {
            assertThat(turn.isSaid()).isFalse(); // the client is told of a failure and no more
            told = replayed;
        }
        assertThat(replayed).as("as replayed").isEqualTo(told);
        assertThat(stored).as("as stored").isEqualTo(asKept(told));
        if (turn.isSaid()) {
            last = id;
            whole.addAll(input);
            told.path("output").forEach(whole::add);
            open = completeCalls(told);
        }
        var prompt = tokens(FakeModels.last().submission().job());
        assertThat(counted.path("input_tokens").asInt()).as("as counted").isEqualTo(prompt.size());
        return new Told(prompt, masked(told));
    }

    private ArrayNode input(int number) {
        var input = (ArrayNode) tree("[]");
        open.forEach(call -> input.addObject()
                .put("type", "function_call_output")
                .put("call_id", call)
                .put("output", "sum " + number));
        if (open.isEmpty() || number % 3 == 0) {
            input.addObject().put("role", "user").put("content", "question " + number);
        }
        return input;
    }

    private String request(ArrayNode input, Delivery delivery) {
        var request = (ObjectNode)
                tree("{\"model\":\"gpt-oss-20b\",\"include\":[\"reasoning.encrypted_content\"]," + TOOLS + "}");
        switch (way) {
            case CONVERSATION -> request.put("conversation", conversation).set("input", input);
            case PREVIOUS_RESPONSE -> {
                request.set("input", input);
                if (!last.isEmpty()) {
                    request.put("previous_response_id", last);
                }
            }
            case WHOLE -> request.putArray("input").addAll(whole).addAll(input);
        }
        boolean background = delivery == Delivery.BACKGROUND || delivery == Delivery.BACKGROUND_STREAM;
        boolean stream = delivery == Delivery.STREAM || delivery == Delivery.BACKGROUND_STREAM;
        return request.put("background", background).put("stream", stream).toString();
    }

    private JsonNode deliver(String request, Delivery delivery) {
        var answer = caller.post(PATH, request);
        return switch (delivery) {
            case STREAM, BACKGROUND_STREAM -> lastResponse(answer);
            case AT_ONCE -> answer.json();
            case BACKGROUND -> {
                assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
                yield polled(answer.json().path("id").asText());
            }
        };
    }

    /// What is stored is what is polled; so the whole object, with raw reasoning, is that of the stream.
    private JsonNode polled(String id) {
        long deadline = System.nanoTime() + POLLING_MAX.toNanos();
        while (System.nanoTime() < deadline) {
            var response = caller.get(PATH + "/" + id + "?include=reasoning.encrypted_content")
                    .json();
            if (!response.path("status").asText().equals("in_progress")) {
                var streamed = lastResponse(caller.get(PATH + "/" + id + "?stream=true"));
                assertThat(response).as("as polled").isEqualTo(asKept(streamed));
                return streamed;
            }
            LockSupport.parkNanos(1_000_000); // the pace of asking again
        }
        throw new AssertionError("the response does not end");
    }

    private static JsonNode lastResponse(Api.Answer stream) {
        assertThat(stream.status()).isEqualTo(200);
        var events = new String(stream.http().body(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .toList();
        return tree(events.getLast().substring("data: ".length())).path("response");
    }

    private String seal(String what, Submission submission) {
        var terms = submission.job().reasoning();
        var blob = Blobs.of(terms, "");
        blobs.put(blob, what);
        return blob;
    }

    /// Raw reasoning is never kept, sealed reasoning not beyond the answer.
    private static JsonNode asKept(JsonNode told) {
        var kept = (ObjectNode) told.deepCopy();
        boolean answered = StoredTurn.answers(WireJson.read(kept, ResponseObject.class));
        for (var item : kept.path("output")) {
            if (item.path("type").asText().equals("reasoning")) {
                ((ObjectNode) item).remove("content");
                if (answered) {
                    ((ObjectNode) item).remove("encrypted_content");
                }
            }
        }
        return kept;
    }

    private static List<String> completeCalls(JsonNode response) {
        var calls = new ArrayList<String>();
        for (var item : response.path("output")) {
            if (item.path("type").asText().equals("function_call")
                    && item.path("status").asText().equals("completed")) {
                calls.add(item.path("call_id").asText());
            }
        }
        return calls;
    }

    /// As a worker would render it.
    private static List<Integer> tokens(GenerationJob job) {
        var folder = ConfigProvider.getConfig().getValue("gateway.stream.keys-dir", String.class);
        var renderer = new PromptRenderer(KeyRing.load(Path.of(folder), ServiceRole.WORKER));
        return Arrays.stream(renderer.render(job, System.currentTimeMillis()))
                .boxed()
                .toList();
    }

    private String callName(String id) {
        return calls.computeIfAbsent(id, _ -> "call " + calls.size());
    }

    private JsonNode masked(JsonNode response) {
        var id = response.path("id").asText().substring("resp_".length());
        var text = response.toString().replace(id, "ID");
        for (var item : response.path("output")) {
            if (item.has("call_id")) {
                var call = item.path("call_id").asText();
                text = text.replace(call, callName(call));
            }
            if (item.has("encrypted_content")) {
                var blob = item.path("encrypted_content").asText();
                text = text.replace(blob, blobs.getOrDefault(blob, "foreign"));
            }
        }
        var masked = (ObjectNode) tree(text);
        masked.remove(List.of("created_at", "completed_at", "background", "conversation", "previous_response_id"));
        masked.remove("input_transformations"); // of what the request brings
        return masked;
    }

    private static JsonNode tree(String json) {
        return WireJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
