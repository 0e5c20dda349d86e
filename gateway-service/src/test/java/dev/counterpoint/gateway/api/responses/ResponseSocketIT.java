package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of Open Responses' WebSocket tests, and ours.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ResponseSocketIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String CREATE = "\"type\":\"response.create\",\"model\":\"gpt-oss-20b\"";
    private static final String UNSTORED = CREATE + ",\"store\":false";

    @Inject
    ResponseSockets sockets;

    private final String key =
            Api.newKey(Api.newTenant(""), "reasoning:summary").get("secret").asText();
    private final Api http = new Api(key);
    private final SocketClient client = new SocketClient(key);

    @AfterEach
    void leave() {
        client.close();
        FakeModels.clear();
    }

    @Test
    void aResponseHasTheEventsOfTheHttpStream() throws InterruptedException {
        // Given
        FakeModels.next(FOUR);
        var streamed = http.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\",\"stream\":true}");
        // When
        FakeModels.next(FOUR);
        var turn = client.ask("{" + CREATE + ",\"input\":\"2+2?\"}");
        // Then
        var lines = new String(streamed.http().body()).lines().filter(line -> line.startsWith("event: "));
        assertThat(turn)
                .map(event -> "event: " + event.path("type").asText())
                .containsExactlyElementsOf(lines.toList());
        assertThat(turn).noneMatch(event -> event.has("stream_id"));
        assertThat(http.get("/v1/responses/" + idOf(turn)).json())
                .isEqualTo(turn.getLast().path("response"));
    }

    @ParameterizedTest(name = "lane: {0}")
    @ValueSource(strings = {"", ",\"stream_id\":\"a\""})
    void responsesOfOneLaneComeInOrder(String lane) throws InterruptedException {
        // When
        FakeModels.next(FOUR);
        FakeModels.next(FOUR);
        client.send("{" + UNSTORED + lane + ",\"input\":\"first\"}");
        client.send("{" + UNSTORED + lane + ",\"input\":\"second\"}");
        var first = client.turn();
        var second = client.turn();
        // Then
        assertThat(first)
                .allMatch(event -> !event.has("response") || idOf(event).equals(idOf(first)));
        assertThat(second.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(idOf(second)).isNotEqualTo(idOf(first));
    }

    @Test
    void anUnstoredResponseIsContinuedOnItsConnectionOnly() throws InterruptedException {
        // Given
        FakeModels.next(FOUR);
        var first = client.ask("{" + UNSTORED + ",\"input\":\"2+2?\"}");
        var next = "{%s,\"previous_response_id\":\"%s\",\"input\":\"why?\"}".formatted(UNSTORED, idOf(first));
        // When
        FakeModels.next(FOUR);
        var second = client.ask(next);
        // Then
        assertThat(second.getLast().at("/response/previous_response_id").asText())
                .isEqualTo(idOf(first));
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(3);
        try (var other = new SocketClient(key)) {
            assertThat(other.ask(next).getLast().at("/error/code").asText()).isEqualTo("previous_response_not_found");
        }
    }

    @Test
    void anUnstoredCallOfAToolIsAnsweredOnItsConnection() throws InterruptedException {
        // Given
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},
                 {"message":1,"channel":"commentary","to":"functions.f","text":"{}","closed":true},
                 {"finish":"STOP"}]"""));
        var tools = ",\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"parameters\":{}}]";
        var first = client.ask("{" + UNSTORED + tools + ",\"input\":\"2+2?\"}");
        var call = first.getLast()
                .at("/response/output")
                .findValuesAsText("call_id")
                .getFirst();
        // When
        FakeModels.next(FOUR);
        var second = client.ask("""
                {%s,"previous_response_id":"%s",
                 "input":[{"type":"function_call_output","call_id":"%s","output":"4"}]}""".formatted(UNSTORED, idOf(first), call));
        // Then
        assertThat(second.getLast().path("type").asText()).isEqualTo("response.completed");
    }

    @Test
    void aWarmUpHasNoOutputAndIsContinued() throws InterruptedException {
        // Given
        int asked = FakeModels.asked();
        var warm = client.ask("{" + UNSTORED + ",\"generate\":false,\"input\":\"Prepare\"}");
        assertThat(FakeModels.asked()).isEqualTo(asked);
        // When
        FakeModels.next(FOUR);
        var turn =
                client.ask("{%s,\"previous_response_id\":\"%s\",\"input\":\"2+2?\"}".formatted(UNSTORED, idOf(warm)));
        // Then
        assertThat(warm)
                .map(event -> event.path("type").asText())
                .containsExactly("response.created", "response.in_progress", "response.completed");
        assertThat(warm.getLast().at("/response/output")).isEmpty();
        assertThat(turn.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(2);
    }

    @Test
    void aFailedContinuationForgetsWhatItContinued() throws InterruptedException {
        // Given
        FakeModels.next(FOUR);
        var first = idOf(client.ask("{" + UNSTORED + ",\"input\":\"2+2?\"}"));
        // When
        var failed = client.ask("""
                {%s,"previous_response_id":"%s","input":[{"type":"function_call_output","call_id":"call_none",
                 "output":"?"}]}""".formatted(UNSTORED, first));
        var retried = client.ask("{%s,\"previous_response_id\":\"%s\",\"input\":\"again\"}".formatted(UNSTORED, first));
        // Then
        assertThat(failed.getLast().path("type").asText()).isEqualTo("error");
        assertThat(failed.getLast().path("status").asInt()).isEqualTo(400);
        assertThat(retried.getLast().at("/error/code").asText()).isEqualTo("previous_response_not_found");
    }

    @Test
    void lanesRunAtOnceAndEachEventNamesItsOwn() throws InterruptedException {
        // Given
        FakeModels.next(List.of());
        client.send("{" + CREATE + ",\"stream_id\":\"a\",\"input\":\"slow\"}");
        assertThat(client.next().path("stream_id").asText()).isEqualTo("a");
        var slow = FakeModels.last().generation();
        assertThat(client.next().path("type").asText()).isEqualTo("response.in_progress");
        // When
        FakeModels.next(FOUR);
        var fast = client.ask("{" + CREATE + ",\"stream_id\":\"b\",\"input\":\"fast\"}");
        FOUR.forEach(slow::say);
        var late = client.turn();
        // Then
        assertThat(fast).allMatch(event -> event.path("stream_id").asText().equals("b"));
        assertThat(late).allMatch(event -> event.path("stream_id").asText().equals("a"));
        assertThat(late.getLast().path("type").asText()).isEqualTo("response.completed");
    }

    @Test
    void aClientThatLeavesEndsTheResponsesOfAllItsLanes() throws InterruptedException {
        // Given
        FakeModels.next(List.of());
        client.send("{" + CREATE + ",\"stream_id\":\"a\",\"input\":\"slow\"}");
        client.next();
        var first = FakeModels.last().generation();
        FakeModels.next(List.of());
        client.send("{" + CREATE + ",\"stream_id\":\"b\",\"input\":\"slow\"}");
        while (!client.next().path("stream_id").asText().equals("b")) {
            // events of the other lane
        }
        var second = FakeModels.last().generation();
        // When
        client.leave();
        // Then
        assertThat(first.isAbandoned()).isTrue();
        assertThat(second.isAbandoned()).isTrue();
    }

    @Test
    void aClientThatLeavesWhileItsConversationIsCompactedEndsTheSummary() throws InterruptedException {
        // Given
        int asked = FakeModels.asked();
        FakeModels.next(List.of());
        client.send("""
                {%s,"context_management":[{"type":"compaction","compact_threshold":1000}],"input":[
                 {"role":"user","content":"%s"},{"role":"assistant","content":"2"},{"role":"user","content":"2+2?"}]}
                """.formatted(UNSTORED, "word ".repeat(1_200)));
        for (int i = 0; i < 100 && FakeModels.asked() == asked; i++) {
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos()); // until the summary is waited for
        // When
        client.leave();
        // Then
        assertThat(FakeModels.last().generation().isAbandoned()).isTrue();
    }

    @Test
    void whatIsWrongIsToldInItsLaneAndTheConnectionGoesOn() throws InterruptedException {
        // When
        var noJson = client.ask("{");
        var longLane = client.ask("{" + CREATE + ",\"stream_id\":\"" + "a".repeat(257) + "\",\"input\":\"?\"}");
        var noType = client.ask("{\"input\":\"2+2?\",\"stream_id\":\"a\"}");
        var noModel =
                client.ask("{\"type\":\"response.create\",\"model\":\"gone\",\"stream_id\":\"b\",\"input\":\"?\"}");
        FakeModels.next(FOUR);
        var right = client.ask("{" + CREATE + ",\"input\":\"2+2?\"}");
        // Then
        assertThat(noJson.getLast().at("/error/type").asText()).isEqualTo("invalid_request_error");
        assertThat(longLane.getLast().at("/error/param").asText()).isEqualTo("stream_id");
        assertThat(noType.getLast().at("/error/param").asText()).isEqualTo("type");
        assertThat(noType.getLast().path("stream_id").asText()).isEqualTo("a");
        assertThat(noModel.getLast().at("/error/code").asText()).isEqualTo("model_not_found");
        assertThat(noModel.getLast().path("status").asInt()).isEqualTo(404);
        assertThat(noModel.getLast().at("/error/headers/x-should-retry").asText())
                .isEqualTo("false");
        assertThat(right.getLast().path("type").asText()).isEqualTo("response.completed");
    }

    @Test
    void aRepeatedRequestWithItsKeyIsAnsweredOnce() throws InterruptedException {
        // Given
        var request = "{" + CREATE + ",\"input\":\"2+2?\",\"idempotency_key\":\"k-" + System.nanoTime() + "\"}";
        FakeModels.next(FOUR);
        var first = client.ask(request);
        int asked = FakeModels.asked();
        // When
        var again = client.ask(request);
        // Then
        assertThat(again).isEqualTo(first);
        assertThat(FakeModels.asked()).isEqualTo(asked);
    }

    @Test
    void aRevokedKeyStopsWorkingOnAnOpenConnection() throws InterruptedException {
        // Given
        var tenant = Api.newTenant("");
        var revoked = Api.newKey(tenant);
        try (var socket = new SocketClient(revoked.path("secret").asText())) {
            // When
            Api.admin()
                    .delete("/admin/tenants/" + tenant + "/keys/"
                            + revoked.at("/key/id").asText());
            var turn = socket.ask("{" + CREATE + ",\"input\":\"2+2?\"}");
            // Then
            assertThat(turn.getLast().at("/error/code").asText()).isEqualTo("invalid_api_key");
        }
    }

    @Test
    void aLongMessageInOneFrameIsTaken() throws IOException {
        // Given
        FakeModels.next(FOUR);
        try (var socket = new RawWebSocket(key)) {
            // When
            socket.send("{" + CREATE + " ".repeat(1_000_000) + ",\"input\":\"2+2?\"}");
            // Then
            assertThat(socket.readUntil("\"response.completed\"")).contains("\"response.created\"");
        }
    }

    @Test
    void aLongMessageInSeveralFramesIsRefused() throws Exception {
        // When
        client.sendInTwo(" ".repeat(5_000_000), " ".repeat(5_000_000));
        // Then
        assertThat(client.closeCode()).isEqualTo(1009);
    }

    @Test
    void pingsOfWhoReadsNothingAreNotAllAnswered() throws IOException {
        // Given
        FakeModels.next(FOUR);
        try (var socket = new RawWebSocket(key)) {
            // When
            long sent = socket.ping(400_000);
            // Then
            assertThat(socket.readForAWhile()).isLessThan(sent / 2);
            socket.send("{" + CREATE + ",\"input\":\"2+2?\"}");
            assertThat(socket.readUntil("\"response.completed\"")).contains("\"response.created\"");
        }
    }

    @Test
    void aClientThatReadsNothingIsCutOff() throws Exception {
        // Given
        var script = new ArrayList<>(FOUR.subList(0, 1));
        script.addAll(Collections.nCopies(3_000, ModelScript.says(0, false, "x".repeat(10_000))));
        FakeModels.next(script);
        try (var socket = new RawWebSocket(key)) {
            socket.send("{" + UNSTORED + ",\"input\":\"Much!\"}");
            // When
            socket.readUntil("\"response.in_progress\"");
            var generation = FakeModels.last().generation();
            // Then
            assertThat(generation.isAbandoned()).isTrue();
        }
    }

    @Test
    void whatWaitsInALaneIsAtMostAsLongAsOneRequest() throws InterruptedException {
        // Given
        FakeModels.next(List.of());
        client.send("{" + UNSTORED + ",\"input\":\"slow\"}");
        client.next();
        client.next();
        var large = "{" + UNSTORED + " ".repeat(5_000_000) + ",\"input\":\"2+2?\"}";
        client.send(large);
        // When
        var refused = client.ask(large);
        // Then
        assertThat(refused.getLast().path("status").asInt()).isEqualTo(429);
    }

    @Test
    void aGatewayThatStopsClosesAfterTheLastResponse() throws Exception {
        // Given
        FakeModels.next(List.of());
        client.send("{" + UNSTORED + ",\"input\":\"slow\"}");
        client.next();
        client.next();
        client.send("{" + UNSTORED + ",\"input\":\"waits\"}");
        // When
        var twice = client.ask("{");
        sockets.open().forEach(socket -> socket.drain(Problem.unavailable("Stopping.")));
        var refused = client.ask("{" + UNSTORED + ",\"stream_id\":\"b\",\"input\":\"2+2?\"}");
        FOUR.forEach(FakeModels.last().generation()::say);
        var turn = client.turn();
        // Then
        assertThat(twice.getLast().path("status").asInt())
                .as("read after the one that waits")
                .isEqualTo(400);
        assertThat(refused.getLast().path("status").asInt()).isEqualTo(503);
        assertThat(client.next().path("status").asInt())
                .as("the one that waited")
                .isEqualTo(503);
        assertThat(turn.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(client.closeCode()).isEqualTo(1001);
    }

    @Test
    void aConnectionEndsAfterAnHourWithItsError() throws Exception {
        // Given
        client.ask("{");
        // When
        sockets.open()
                .forEach(socket ->
                        socket.look(System.nanoTime() + Duration.ofMinutes(61).toNanos()));
        // Then
        assertThat(client.next().at("/error/code").asText()).isEqualTo("websocket_connection_limit_reached");
        assertThat(client.closeCode()).isEqualTo(1000);
    }

    @Test
    void anIdleConnectionIsClosed() throws Exception {
        // Given
        client.ask("{");
        // When
        sockets.open()
                .forEach(socket ->
                        socket.look(System.nanoTime() + Duration.ofMinutes(31).toNanos()));
        // Then
        assertThat(client.closeCode()).isEqualTo(1000);
    }

    private static String idOf(List<JsonNode> turn) {
        return idOf(turn.getLast());
    }

    private static String idOf(JsonNode event) {
        return event.at("/response/id").asText();
    }
}
