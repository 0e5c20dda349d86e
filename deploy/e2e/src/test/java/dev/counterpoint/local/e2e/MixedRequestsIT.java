package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Valid requests of all kinds, drawn, at two gateways at once: every stream passes the validator (the reader of
/// streams sees to that), and both gateways say the same of what is stored. `-Dmixed.requests=1000 -Dseed=…` draws
/// others, and more.
@ExtendWith(SharedSuite.class)
class MixedRequestsIT {
    private static final int COUNT = Integer.getInteger("mixed.requests", 48);
    private static final long SEED = Long.getLong("seed", 20_261_122);
    private static final int CALLERS = 8;
    private static final String RESPONSES = "/v1/responses";
    private static final String CHAT = "/v1/chat/completions";
    private static final String CONVERSATIONS = "/v1/conversations";
    private static final List<String> QUESTIONS = List.of(
            "What is 17 plus 25?", "Count from 1 to 12.", "Say hello in Japanese.", "Why is the sky blue?", "2+2?");
    private static final String FUNCTION = """
            {"name":"get_weather","strict":true,"parameters":{"type":"object",
             "properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}}""";
    private static final String SCHEMA = """
            {"name":"sum","strict":true,"schema":{"type":"object","properties":{"sum":{"type":"integer"}},
             "required":["sum"],"additionalProperties":false}}""";

    private static List<ApiClient> gateways;

    @BeforeAll
    static void connect() {
        gateways = SharedSuite.gateways().stream()
                .map(gateway -> SharedSuite.suite().client(gateway, RunningSuite.RAW_KEY))
                .toList();
    }

    @Test
    void everyAnswerIsWholeAndBothGatewaysSayTheSame() throws Exception {
        // When
        var stored = new ArrayList<String>();
        try (var threads = Executors.newFixedThreadPool(CALLERS)) {
            var tasks = IntStream.range(0, CALLERS)
                    .<Callable<List<String>>>mapToObj(caller -> () -> ask(new Random(SEED + caller)))
                    .toList();
            for (var task : threads.invokeAll(tasks)) {
                stored.addAll(task.get());
            }
        }

        // Then
        assertThat(stored).hasSizeGreaterThan(COUNT / 8);
        assertThat(stored).anyMatch(path -> path.startsWith(CHAT)).anyMatch(path -> path.startsWith(CONVERSATIONS));
        for (var path : stored) {
            var here = Eventually.until(
                    () -> gateways.getFirst().get(path),
                    read -> !List.of("queued", "in_progress")
                            .contains(read.body().path("status").asText()));
            assertThat(here.status()).as(here.body().toString()).isEqualTo(200);
            assertThat(here.body().path("status").asText("completed")).isIn("completed", "incomplete");
            assertThat(gateways.getLast().get(path).body()).isEqualTo(here.body());
        }
        System.out.printf("mixed requests: %d, seed %d, stored %d%n", COUNT, SEED, stored.size());
    }

    /// @return paths of all that is stored
    private static List<String> ask(Random random) {
        var created = gateways.getFirst().post(CONVERSATIONS, "{}").body();
        var conversation = created.path("id").asText();
        var path = CONVERSATIONS + "/" + conversation;
        var responses = new ArrayList<String>();
        var stored = new ArrayList<>(List.of(path, path + "/items?limit=100"));
        for (int i = 0; i < COUNT / CALLERS; i++) {
            var gateway = gateways.get(random.nextInt(2));
            boolean chat = random.nextInt(3) == 0;
            var body = chat ? chat(random) : responses(random, conversation, responses);
            var answer = answer(gateway, chat ? CHAT : RESPONSES, body);
            var id = answer.path("id").asText();
            boolean kept = body.path("store").asBoolean(!chat);
            if (kept && chat) {
                stored.add(CHAT + "/" + id);
            } else if (kept) {
                stored.add(RESPONSES + "/" + id);
                responses.add(id);
            }
        }
        return stored;
    }

    /// The whole answer, be it that it came in pieces; for a chat stream its last chunk.
    private static JsonNode answer(ApiClient gateway, String path, ObjectNode body) {
        if (!body.path("stream").asBoolean()) {
            var answer = gateway.post(path, body.toString());
            assertThat(answer.status()).as("%s: %s", body, answer.body()).isEqualTo(200);
            return answer.body();
        }
        var events = gateway.stream(path, body.toString());
        assertThat(events.getLast().data()).as(body.toString()).isEqualTo("[DONE]");
        var last = Streams.bodies(events).getLast();
        return last.path("response").isObject() ? last.path("response") : last;
    }

    private static ObjectNode common(Random random) {
        var body = ApiClient.JSON.createObjectNode().put("model", RunningSuite.MODEL);
        body.put("stream", random.nextBoolean());
        if (random.nextInt(3) == 0) {
            body.put("temperature", random.nextDouble() * 2);
        }
        if (random.nextInt(4) == 0) {
            body.put("service_tier", random.nextBoolean() ? "flex" : "priority");
        }
        if (random.nextInt(4) == 0) {
            body.put("top_p", 0.1 + random.nextDouble() * 0.9);
        }
        return body;
    }

    private static ObjectNode responses(Random random, String conversation, List<String> stored) {
        var body = common(random).put("input", question(random));
        if (random.nextInt(3) == 0) {
            body.put("store", false);
        } else if (random.nextInt(4) == 0) {
            body.put("background", true);
        } else if (!stored.isEmpty() && random.nextInt(3) == 0) {
            continued(body, stored.get(random.nextInt(stored.size())));
        } else if (random.nextInt(3) == 0) {
            body.put("conversation", conversation);
        }
        switch (random.nextInt(6)) {
            case 0 -> body.putArray("tools").add(((ObjectNode) ApiClient.tree(FUNCTION)).put("type", "function"));
            case 1 ->
                body.putObject("text").set("format", ((ObjectNode) ApiClient.tree(SCHEMA)).put("type", "json_schema"));
            case 2 -> body.putObject("reasoning").put("summary", "auto").put("effort", "high");
            case 3 -> body.put("max_output_tokens", 16 + random.nextInt(30));
            case 4 ->
                body.put("instructions", "Be brief.").putObject("metadata").put("a", "b");
            default -> {}
        }
        return body;
    }

    /// A response that still runs cannot be gone on with.
    private static void continued(ObjectNode body, String earlier) {
        var status = gateways.getFirst().get(RESPONSES + "/" + earlier).body().path("status");
        if (status.asText().equals("completed")) {
            body.put("previous_response_id", earlier);
        }
    }

    private static ObjectNode chat(Random random) {
        var body = common(random);
        body.putArray("messages").addObject().put("role", "user").put("content", question(random));
        switch (random.nextInt(6)) {
            case 0 ->
                body.putArray("tools").addObject().put("type", "function").set("function", ApiClient.tree(FUNCTION));
            case 1 ->
                body.putObject("response_format").put("type", "json_schema").set("json_schema", ApiClient.tree(SCHEMA));
            case 2 -> body.put("reasoning", "full");
            case 3 -> body.put("max_completion_tokens", 1 + random.nextInt(30));
            case 4 -> body.put("stop", "7").put("seed", random.nextInt());
            default -> body.put("store", true);
        }
        return body;
    }

    private static String question(Random random) {
        return QUESTIONS.get(random.nextInt(QUESTIONS.size()));
    }
}
