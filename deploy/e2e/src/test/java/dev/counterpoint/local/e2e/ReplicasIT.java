package dev.counterpoint.local.e2e;

import static dev.counterpoint.local.e2e.ApiClient.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.e2e.RunningSuite.Service;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two gateways over one bus and one database: whatever one of them began, the other can stream, cancel and delete.
@ExtendWith(SharedSuite.class)
class ReplicasIT {
    private static final Duration EVENTUALLY = Duration.ofSeconds(60);
    private static final String LONG_QUESTION = "\"input\":\"Count from 1 to 4000.\"";

    private static RunningSuite suite;
    private static Service worker;
    private static ApiClient here;
    private static ApiClient there;
    private static ApiClient admin;
    private static ApiClient billingThere;
    private static ApiClient trustedHere;
    private static ApiClient trustedThere;
    private final long seed = Long.getLong("seed", System.nanoTime());

    @BeforeAll
    static void connect() {
        suite = SharedSuite.suite();
        worker = SharedSuite.worker(SharedSuite.SLOW);
        var first = SharedSuite.gateways().getFirst();
        var second = SharedSuite.gateways().getLast();
        admin = suite.client(first, RunningSuite.ADMIN_TOKEN);
        billingThere = suite.client(second, keyOfProject("billing"));
        here = suite.client(first, RunningSuite.SUMMARY_KEY);
        there = suite.client(second, RunningSuite.SUMMARY_KEY);
        trustedHere = suite.client(first, RunningSuite.RAW_KEY);
        trustedThere = suite.client(second, RunningSuite.RAW_KEY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"input\":\"What is 17 plus 25?\"",
                "\"input\":\"Say hello in Japanese.\",\"reasoning\":{\"summary\":\"auto\"}",
                "\"input\":\"Count from 1 to 30.\",\"max_output_tokens\":20,\"top_logprobs\":2",
                "\"input\":\"Count from 1 to 10.\",\"background\":true",
                "\"input\":\"What is the weather in Paris?\\ncall: get_weather {}\",\"tools\":[{\"type\":\"function\","
                        + "\"name\":\"get_weather\",\"parameters\":{\"type\":\"object\","
                        + "\"properties\":{\"city\":{\"type\":\"string\"}},"
                        + "\"required\":[\"city\"],\"additionalProperties\":false},\"strict\":true}]",
            })
    void everyReplicaStreamsTheSameBytesFromEveryEventOn(String members) {
        for (var pair : List.of(List.of(here, there), List.of(trustedThere, trustedHere))) {
            // Given
            var whole = all(pair.getFirst(), members);
            var path = replayOf(whole);
            int events = whole.size() - 1;
            // When
            var starts = new ArrayList<>(List.of(0, events - 2, events - 1));
            new Random(seed).ints(3, 0, events).forEach(starts::add);
            // Then
            for (var replica : List.of(pair.getFirst(), pair.getLast())) {
                assertThat(again(replica, path)).as(members).isEqualTo(whole);
                for (int last : starts) {
                    assertThat(again(replica, path + "&starting_after=" + last))
                            .as("after %d, seed %d", last, seed)
                            .isEqualTo(whole.subList(last + 1, whole.size()));
                }
            }
        }
    }

    @Test
    void aStreamThatBrokeGoesOnAtTheOtherReplicaWhileTheModelSpeaks() {
        // Given
        List<String> begun;
        try (var stream = stream(here, "\"input\":\"Count from 1 to 200.\",\"background\":true")) {
            begun = stream.next(30);
        }
        // When
        var rest = again(there, replayOf(begun) + "&starting_after=29");
        // Then
        var state = there.get(path(begun)).body();
        assertThat(state.path("status").asText())
                .as("committed before anyone hears of the end")
                .isEqualTo("completed");
        var whole = new ArrayList<>(begun);
        whole.addAll(rest);
        assertThat(again(here, replayOf(begun))).isEqualTo(whole);
        assertThat(again(there, replayOf(begun))).isEqualTo(whole);
    }

    @Test
    @Tag("nightly")
    void aTurnWhoseGatewayIsKilledIsInItsConversationOnce() {
        // Given
        var conversation =
                here.post("/v1/conversations", "{}").body().path("id").asText();
        var inIt = "\"conversation\":\"" + conversation + "\"";
        var dies = killable();
        List<String> begun;
        try (var stream = stream(dies.caller(), "\"input\":\"Count from 1 to 150.\"," + inIt)) {
            begun = stream.next(30);
            // When
            dies.service().process().kill();
        }
        // Then nothing else is said in it before that turn has ended
        var meanwhile = here.post("/v1/responses", request("\"input\":\"Say hello.\"," + inIt));
        assertThat(meanwhile.error().path("code").asText()).isEqualTo("conversation_locked");
        assertThat(again(there, replayOf(begun))).endsWith("data: [DONE]\n\n");
        var counted = here.get(path(begun)).body();
        assertThat(counted.path("status").asText()).isEqualTo("completed");
        var next = there.post("/v1/responses", request("\"input\":\"Say hello.\"," + inIt));
        assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
        var expected = JSON.createArrayNode();
        for (var turn : List.of(counted, next.body())) {
            var path = "/v1/responses/" + turn.path("id").asText();
            here.get(path + "/input_items").body().path("data").forEach(expected::add);
            here.get(path).body().path("output").forEach(expected::add);
        }
        var items = there.get("/v1/conversations/" + conversation + "/items?order=asc&limit=100");
        assertThat(items.body().path("data")).isEqualTo(expected);
    }

    @Test
    @Tag("nightly")
    void aKeyStandsForTheAnswerOfAGatewayThatWasKilled() {
        // Given
        var request = ask("\"input\":\"Count from 1 to 150.\"");
        var dies = killable();
        List<String> begun;
        try (var stream = Blocks.of(dies.caller().open(once(dies.caller(), request)))) {
            begun = stream.next(30);
            // When
            dies.service().process().kill();
        }
        // Then
        for (var replica : List.of(there, here)) {
            try (var stream = Blocks.of(replica.open(once(replica, request)))) {
                assertThat(stream.rest())
                        .startsWith(begun.toArray(String[]::new))
                        .endsWith("data: [DONE]\n\n");
            }
        }
    }

    private static HttpRequest once(ApiClient caller, String body) {
        return caller.request("/v1/responses")
                .header("content-type", "application/json")
                .header("idempotency-key", "asked-of-a-gateway-that-dies")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /// A gateway that is there to be killed.
    private record Killable(Service service, ApiClient caller) {}

    private static Killable killable() {
        var service = SharedSuite.startGateway(Map.of());
        return new Killable(service, suite.client(service, RunningSuite.SUMMARY_KEY));
    }

    @Test
    void whatOneReplicaRunsTheOtherCancelsAndTheEngineStops() {
        // Given
        var id = background(here);
        List<String> live;
        try (var stream = Blocks.again(there, id + "?stream=true")) {
            live = new ArrayList<>(stream.next(10));
            // When
            var cancelled = there.post(id + "/cancel", "");
            live.addAll(stream.rest());
            // Then
            assertThat(cancelled.status()).isEqualTo(200);
            assertThat(cancelled.body().path("status").asText()).isEqualTo("cancelled");
            assertThat(here.get(id).body()).isEqualTo(cancelled.body());
            assertThat(here.post(id + "/cancel", "").body()).isEqualTo(cancelled.body());
        }
        await("the engine stops", ReplicasIT::idle);
        assertThat(live.getLast()).isEqualTo("data: [DONE]\n\n");
        assertThat(live.get(live.size() - 2)).startsWith("event: response.failed");
        assertThat(again(here, id + "?stream=true")).isEqualTo(live);
    }

    @Test
    void whatWaitsInTheQueueIsCancelledThereAndNeverRuns() {
        // Given
        var running = List.of(background(here), background(there));
        await("both slots are taken", () -> worker.metric("counterpoint_worker_running") == 2);
        var waiting = background(here);
        // When
        var cancelled = there.post(waiting + "/cancel", "");
        running.forEach(id -> here.post(id + "/cancel", ""));
        // Then
        assertThat(cancelled.body().path("status").asText()).isEqualTo("cancelled");
        assertThat(cancelled.body().path("output")).isEmpty();
        await("the engine stops", ReplicasIT::idle);
        assertThat(all(here, "\"input\":\"Say hello.\"")).endsWith("data: [DONE]\n\n");
        assertThat(here.get(waiting).body()).isEqualTo(cancelled.body());
    }

    @Test
    void cancelledAtOnceItEndsBeforeItsFirstToken() {
        for (int i = 0; i < 10; i++) {
            var id = background(here);
            assertThat(there.post(id + "/cancel", "").body().path("status").asText())
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void whatOneReplicaDeletesIsGoneAtTheOtherAndTheEngineStops() {
        // Given
        var id = background(here);
        await("it runs", () -> worker.metric("counterpoint_worker_running") > 0);
        // When
        var deleted = there.send(there.request(id).DELETE().build());
        // Then
        assertThat(deleted.status()).isEqualTo(200);
        await("the engine stops", ReplicasIT::idle);
        for (var replica : List.of(here, there)) {
            assertThat(replica.get(id).status()).isEqualTo(404);
            assertThat(replica.get(id + "?stream=true").status()).isEqualTo(404);
            assertThat(replica.post(id + "/cancel", "").status()).isEqualTo(404);
        }
    }

    /// A key of another project of the tenant that all other callers belong to.
    private static String keyOfProject(String project) {
        for (var tenant : admin.get("/admin/tenants").body().path("data")) {
            if (tenant.path("name").asText().equals("local")) {
                var path = "/admin/tenants/" + tenant.path("id").asText() + "/keys";
                return admin.post(path, "{\"project\":\"" + project + "\",\"scopes\":[\"reasoning:raw\"]}")
                        .body()
                        .path("secret")
                        .asText();
            }
        }
        throw new AssertionError("no tenant of that name");
    }

    @Test
    @Tag("nightly")
    @DisplayName("M5 no replica shows what runs or ran to a key of another project, nor does one that adopted it")
    void noReplicaShowsItToAKeyOfAnotherProject() {
        // Given
        var dies = killable();
        var id = background(dies.caller());
        // Then while it runs
        assertAbsent(id);
        // When
        dies.service().process().kill();
        assertAbsent(id);
        // Then after another gateway has brought it to its end
        assertThat(here.post(id + "/cancel", "").status()).isEqualTo(200);
        assertAbsent(id);
        assertThat(there.get(id).body().path("status").asText()).isEqualTo("cancelled");
    }

    private static void assertAbsent(String path) {
        var id = path.substring(path.lastIndexOf('/') + 1);
        var unknown = "/v1/responses/" + id.substring(0, id.length() - 1) + (id.endsWith("1") ? "2" : "1");
        for (var ask : List.<Function<String, ApiClient.Answer>>of(
                of -> billingThere.get(of),
                of -> billingThere.get(of + "?stream=true"),
                of -> billingThere.post(of + "/cancel", ""),
                of -> billingThere.delete(of))) {
            var answer = ask.apply(path);
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.error().toString().replace(path, unknown).replace(id, unknown.substring(14)))
                    .isEqualTo(ask.apply(unknown).error().toString());
        }
    }

    @Test
    void rawReasoningIsNotReadAgainWithALesserKey() {
        // Given
        var whole = all(trustedHere, "\"input\":\"What is 17 plus 25?\"");
        assertThat(String.join("", whole)).contains("response.reasoning_text.delta");
        // When
        var refused = there.get(replayOf(whole));
        // Then
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.error().path("message").asText()).contains("reasoning:raw");
        assertThat(there.get(path(whole)).body().toString()).doesNotContain("reasoning_text");
    }

    /// @return the path of a long response in the background
    private static String background(ApiClient replica) {
        var answer = replica.post("/v1/responses", request(LONG_QUESTION + ",\"background\":true"));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return "/v1/responses/" + answer.body().path("id").asText();
    }

    private static boolean idle() {
        return worker.metric("counterpoint_worker_running") == 0;
    }

    private static String ask(String members) {
        return request(members + ",\"stream\":true");
    }

    private static String request(String members) {
        return "{\"model\":\"%s\",%s}".formatted(SharedSuite.SLOW, members);
    }

    private static Blocks stream(ApiClient replica, String members) {
        return Blocks.of(replica.open("/v1/responses", ask(members)));
    }

    private static List<String> all(ApiClient replica, String members) {
        try (var stream = stream(replica, members)) {
            return Collections.unmodifiableList(stream.rest());
        }
    }

    private static List<String> again(ApiClient replica, String path) {
        try (var stream = Blocks.again(replica, path)) {
            return stream.rest();
        }
    }

    private static String path(List<String> stream) {
        var created = stream.getFirst();
        var event = ApiClient.tree(created.substring(created.indexOf('{')));
        return "/v1/responses/" + event.path("response").path("id").asText();
    }

    private static String replayOf(List<String> stream) {
        return path(stream) + "?stream=true";
    }

    private static void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + EVENTUALLY.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
