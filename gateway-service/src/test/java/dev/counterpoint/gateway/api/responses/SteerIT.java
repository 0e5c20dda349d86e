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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The matrix of steers: before the first token, in reasoning, in the answer, after a tool call, after the end, twice,
/// and refused.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class SteerIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final List<ModelOutput> STEERED = ModelScript.read("[{\"finish\":\"STEERED\"}]");
    private static final String CREATE = "\"type\":\"response.create\",\"model\":\"gpt-oss-20b\",\"stream_id\":\"a\"";

    @Inject
    ResponseSockets sockets;

    private final String tenant = Api.newTenant("");
    private final JsonNode created = Api.newKey(tenant, "reasoning:summary");
    private final String key = created.get("secret").asText();
    private final Api http = new Api(key);
    private final SocketClient client = new SocketClient(key);

    @AfterEach
    void leave() {
        client.close();
        FakeModels.clear();
        FakeModels.busAnswers(true);
    }

    @ParameterizedTest(name = "store: {0}")
    @ValueSource(booleans = {true, false})
    void aResponseThatIsSteeredBeforeItsFirstTokenIsFollowedByOneWithTheInput(boolean stored)
            throws InterruptedException {
        // Given
        var id = begin(",\"store\":" + stored + ",\"metadata\":{\"a\":\"b\"}");
        var generation = FakeModels.last().generation();
        // When
        client.steer(id, "\"In French!\"");
        var accepted = client.next();
        FakeModels.next(FOUR);
        STEERED.forEach(generation::say);
        var first = client.turn();
        var second = client.turn();
        // Then
        assertThat(accepted.path("type").asText()).isEqualTo("response.steer.accepted");
        assertThat(accepted.at("/steer/previous_response_id").asText()).isEqualTo(id);
        assertThat(accepted.at("/steer/id").asText()).startsWith("steer_");
        assertThat(first.getLast().path("type").asText()).isEqualTo("response.incomplete");
        assertThat(first.getLast().at("/response/incomplete_details/reason").asText())
                .isEqualTo("steered");
        assertThat(second).allMatch(event -> event.path("stream_id").asText().equals("a"));
        assertThat(second.getLast().at("/response/status").asText()).isEqualTo("completed");
        assertThat(second.getLast().at("/response/previous_response_id").asText())
                .isEqualTo(id);
        assertThat(second.getLast().at("/response/metadata/a").asText()).isEqualTo("b");
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(2);
    }

    @Test
    void aSteerInTheAnswerLeavesItsBeginningInTheConversation() throws InterruptedException {
        // Given
        var id = begin("");
        var generation = FakeModels.last().generation();
        FOUR.subList(0, 2).forEach(generation::say);
        // When
        client.steer(id, "[{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"In French!\"}]}]");
        client.steer(id, "\"And short.\"");
        client.until("response.steer.accepted");
        client.until("response.steer.accepted");
        FakeModels.next(FOUR);
        STEERED.forEach(generation::say);
        client.turn();
        var second = client.turn();
        // Then
        var items = http.get("/v1/responses/" + idOf(second.getLast()) + "/input_items?order=asc")
                .json()
                .path("data");
        assertThat(items).hasSize(2);
        assertThat(items.path(0).at("/content/0/text").asText()).isEqualTo("In French!");
        assertThat(items.path(1).at("/content/0/text").asText()).isEqualTo("And short.");
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(4);
        assertThat(FakeModels.lastIsSteered()).isFalse();
    }

    @Test
    void aSteerInReasoningIsFollowedToo() throws InterruptedException {
        // Given
        var id = begin("");
        var generation = FakeModels.last().generation();
        ModelScript.read("[{\"hidden\":0}]").forEach(generation::say);
        // When
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        FakeModels.next(FOUR);
        STEERED.forEach(generation::say);
        var first = client.turn();
        var second = client.turn();
        // Then
        assertThat(first.getLast().at("/response/incomplete_details/reason").asText())
                .isEqualTo("steered");
        assertThat(first.getLast().at("/response/output/0/type").asText()).isEqualTo("reasoning");
        assertThat(second.getLast().at("/response/previous_response_id").asText())
                .isEqualTo(id);
    }

    @Test
    void aResponseThatCompletesAllTheSameIsFollowedToo() throws InterruptedException {
        // Given
        var id = begin("");
        var generation = FakeModels.last().generation();
        // When
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        assertThat(FakeModels.lastIsSteered()).isTrue();
        FakeModels.next(FOUR);
        FOUR.forEach(generation::say);
        var first = client.turn();
        var second = client.turn();
        // Then
        assertThat(first.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(second.getLast().at("/response/previous_response_id").asText())
                .isEqualTo(id);
    }

    @Test
    void aResponseThatWaitsForToolsKeepsTheInputForTheNextRequest() throws InterruptedException {
        // Given
        var id = begin(",\"tools\":[{\"type\":\"function\",\"name\":\"f\",\"parameters\":{}}]");
        var generation = FakeModels.last().generation();
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        // When
        ModelScript.read("""
                [{"message":0,"channel":"commentary","to":"functions.f","text":"{}","closed":true},
                 {"finish":"STOP"}]""").forEach(generation::say);
        client.turn();
        var pending = client.next();
        var call = pending.path("required_input").path(0).path("call_id").asText();
        FakeModels.next(FOUR);
        var second = client.ask("""
                {%s,"previous_response_id":"%s",
                 "input":[{"type":"function_call_output","call_id":"%s","output":"1"}]}""".formatted(CREATE, id, call));
        // Then
        assertThat(pending.path("type").asText()).isEqualTo("response.steer.pending");
        assertThat(pending.path("reason").asText()).isEqualTo("waiting_for_required_input");
        assertThat(call).isNotEmpty();
        assertThat(second.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(4);
        // Another response that continues from there has the input too, and none has it twice.
        FakeModels.next(FOUR);
        http.post("/v1/responses", """
                {"model":"gpt-oss-20b","previous_response_id":"%s",
                 "input":[{"type":"function_call_output","call_id":"%s","output":"2"}]}""".formatted(id, call));
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(4);
        FakeModels.next(FOUR);
        client.ask(
                "{%s,\"previous_response_id\":\"%s\",\"input\":\"again\"}".formatted(CREATE, idOf(second.getLast())));
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(6);
    }

    @ParameterizedTest(name = "store: {0}")
    @ValueSource(booleans = {true, false})
    void aCustomCallThatASteerCutOffIsOwedNoResult(boolean stored) throws InterruptedException {
        // Given
        var id = begin(",\"tools\":[{\"type\":\"custom\",\"name\":\"patch\"}],\"store\":" + stored);
        var generation = FakeModels.last().generation();
        ModelScript.read("""
                [{"message":0,"channel":"commentary","to":"functions.patch","text":"{\\"input\\":\\"ha"}]""").forEach(generation::say);
        // When
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        FakeModels.next(FOUR);
        STEERED.forEach(generation::say);
        var first = client.turn();
        var second = client.turn();
        // Then
        assertThat(first.getLast().at("/response/output/0/type").asText()).isEqualTo("custom_tool_call");
        assertThat(second.getLast().path("type").asText()).isEqualTo("response.completed");
        assertThat(FakeModels.last().submission().job().prompt()).hasSize(2);
    }

    @Test
    void aResponseThatIsToldAgainIsNotFollowedAgain() throws InterruptedException {
        // Given
        FakeModels.next(List.of());
        var request = "{%s,\"idempotency_key\":\"k-%d\",\"input\":\"2+2?\"}".formatted(CREATE, System.nanoTime());
        client.send(request);
        var id = idOf(client.next());
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        FakeModels.next(FOUR);
        STEERED.forEach(FakeModels.last().generation()::say);
        client.turn();
        client.turn();
        int asked = FakeModels.asked();
        // When
        try (var other = new SocketClient(key)) {
            var again = other.ask(request);
            FakeModels.next(FOUR);
            var after = other.ask("{" + CREATE + ",\"input\":\"2+2?\"}");
            // Then
            assertThat(idOf(again.getLast())).isEqualTo(id);
            assertThat(after.getLast().at("/response/previous_response_id").isNull())
                    .isTrue();
            assertThat(FakeModels.asked()).isEqualTo(asked + 1);
        }
    }

    @Test
    void aGatewayThatStopsBeginsNoSuccessor() throws InterruptedException {
        // Given
        var id = begin("");
        var generation = FakeModels.last().generation();
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        // When
        sockets.open().forEach(socket -> socket.drain(Problem.unavailable("Stopping.")));
        STEERED.forEach(generation::say);
        client.turn();
        // Then
        assertThat(client.next().at("/error/code").asText()).isEqualTo("successor_creation_failed");
    }

    @Test
    void aSteerAfterTheEndGivesTheInputBack() throws InterruptedException {
        // Given
        FakeModels.next(FOUR);
        var id = idOf(client.ask("{" + CREATE + ",\"input\":\"2+2?\"}").getLast());
        // When
        var late = steered(id, "\"In French!\"");
        var unknown = steered("resp_none", "\"In French!\"");
        // Then
        assertThat(late.at("/error/code").asText()).isEqualTo("response_already_completed");
        assertThat(late.at("/steer/input").asText()).isEqualTo("In French!");
        assertThat(unknown.at("/error/code").asText()).isEqualTo("response_not_found");
    }

    @Test
    void aResponseThatFailedIsNotActive() throws InterruptedException {
        // Given
        var id = begin("");
        ModelScript.read("[{\"stop\":\"EXPIRED\"}]").forEach(FakeModels.last().generation()::say);
        client.turn();
        // When
        var late = steered(id, "\"In French!\"");
        // Then
        assertThat(late.at("/error/code").asText()).isEqualTo("response_not_active");
    }

    @Test
    void aSteerThatTheBusDoesNotTakeComesBackAtTheEnd() throws InterruptedException {
        // Given
        var id = begin("");
        FakeModels.busAnswers(false);
        client.steer(id, "\"In French!\"");
        steered(id, "\"\""); // read after the one before
        // When
        FOUR.forEach(FakeModels.last().generation()::say);
        client.turn();
        var failed = client.next();
        // Then
        assertThat(failed.at("/error/code").asText()).isEqualTo("response_already_completed");
        assertThat(failed.at("/steer/input").asText()).isEqualTo("In French!");
    }

    @Test
    void aRevokedKeyGivesTheInputBackAndTheLaneGoesOn() throws InterruptedException {
        // Given
        var id = begin("");
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        // When
        Api.admin()
                .delete("/admin/tenants/" + tenant + "/keys/"
                        + created.at("/key/id").asText());
        STEERED.forEach(FakeModels.last().generation()::say);
        client.turn();
        var failed = client.next();
        var refused = client.ask("{" + CREATE + ",\"input\":\"2+2?\"}");
        FakeModels.next(FOUR);
        new Api(Api.newKey(tenant).path("secret").asText())
                .post(
                        "/v1/responses",
                        "{\"model\":\"gpt-oss-20b\",\"previous_response_id\":\"%s\",\"input\":\"again\"}"
                                .formatted(id));
        // Then
        assertThat(FakeModels.last().submission().job().prompt())
                .as("without the input that the client has back")
                .hasSize(2);
        assertThat(failed.at("/error/code").asText()).isEqualTo("successor_creation_failed");
        assertThat(refused.getLast().at("/error/code").asText()).isEqualTo("invalid_api_key");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\"\"",
                "[]",
                "{}",
                "[{\"role\":\"system\",\"content\":\"x\"}]",
                "[{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"x\"}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"output_text\",\"text\":\"x\"}]}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"input_file\",\"file_id\":\"f\"}]}]",
                "[{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"file_id\":\"f\"}]}]",
                // The model takes no images.
                "[{\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
                        + "\"image_url\":\"data:image/png;base64,AA\"}]}]"
            })
    void onlyMessagesOfTheUserSteer(String input) throws InterruptedException {
        // Given
        var id = begin("");
        // When
        var failed = steered(id, input);
        // Then
        assertThat(failed.at("/error/code").asText()).isEqualTo("invalid_input");
        assertThat(failed.at("/error/type").asText()).isEqualTo("invalid_request_error");
        assertThat(failed.path("stream_id").asText()).isEqualTo("a");
    }

    @Test
    void aResponseInAConversationIsNotSteered() throws InterruptedException {
        // Given
        var conversation =
                http.post("/v1/conversations", "{}").json().path("id").asText();
        var id = begin(",\"conversation\":\"" + conversation + "\"");
        // When
        var failed = steered(id, "\"In French!\"");
        // Then
        assertThat(failed.at("/error/code").asText()).isEqualTo("steering_not_supported");
    }

    @Test
    void aSuccessorThatCannotBeginGivesTheInputBack() throws InterruptedException {
        // Given
        var id = begin("");
        var generation = FakeModels.last().generation();
        client.steer(id, "\"In French!\"");
        client.until("response.steer.accepted");
        // When
        http.delete("/v1/responses/" + id);
        STEERED.forEach(generation::say);
        client.turn();
        var failed = client.next();
        // Then
        assertThat(failed.at("/error/code").asText()).isEqualTo("successor_creation_failed");
        assertThat(failed.at("/steer/id").asText()).startsWith("steer_");
        assertThat(failed.at("/steer/input").asText()).isEqualTo("In French!");
    }

    @Test
    void moreThanEightSteersAreTooMany() throws InterruptedException {
        // Given
        var id = begin("");
        for (int i = 0; i < 8; i++) {
            client.steer(id, "\"more\"");
            client.until("response.steer.accepted");
        }
        // When
        var failed = steered(id, "\"more\"");
        // Then
        assertThat(failed.at("/error/code").asText()).isEqualTo("too_many_pending_steers");
    }

    /// Begins a response that says nothing yet.
    private String begin(String members) throws InterruptedException {
        FakeModels.next(List.of());
        client.send("{" + CREATE + members + ",\"input\":\"2+2?\"}");
        var id = idOf(client.next());
        assertThat(client.next().path("type").asText()).isEqualTo("response.in_progress");
        return id;
    }

    private JsonNode steered(String id, String input) throws InterruptedException {
        client.steer(id, input);
        return client.until("response.steer.failed");
    }

    private static String idOf(JsonNode event) {
        return event.at("/response/id").asText();
    }
}
