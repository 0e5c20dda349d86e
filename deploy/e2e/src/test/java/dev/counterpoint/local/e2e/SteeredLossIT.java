package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.local.e2e.RunningSuite.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Lanes of one WebSocket, one of them steered, while first the worker and then the gateway is killed.
@Tag("nightly")
@ExtendWith(SharedSuite.class)
class SteeredLossIT {
    private static final String MODEL = "steered";
    private static final String STEER = "Count from 1 to 400.";

    private final ApiClient there =
            SharedSuite.suite().client(SharedSuite.gateways().getFirst(), RunningSuite.SUMMARY_KEY);

    @Test
    void neitherLaneNorSteerIsLost() throws Exception {
        // Given
        var first = startWorker();
        var gateway = startGateway();
        try (var socket = new LaneSocket(gateway, RunningSuite.SUMMARY_KEY)) {
            socket.send(create("a", 3_000));
            socket.send(create("b", 900));
            var id = idOf(socket.await("a", speaks(10)));
            socket.await("b", speaks(10));
            var second = startWorker();
            // When the worker dies with the steer in the log
            first.process().pause();
            steer(socket, id);
            socket.await("a", accepted(1));
            first.process().kill();
            var following = socket.await("a", events -> {
                var after = after(events, "response.incomplete");
                return !after.isEmpty() && speaks(10).test(after);
            });
            // Then a successor follows in the steered lane
            var next = idOf(after(following, "response.incomplete"));
            assertThat(next).isNotEqualTo(id);
            // When the gateway dies
            gateway.process().kill();
            socket.awaitGone();
            // Then another gateway has all of it, and the client saw the beginning of that
            assertThat(replayed(id)).startsWith(seen(socket, "a", id)).hasSameSizeAs(seen(socket, "a", id));
            assertThat(there.get("/v1/responses/" + id)
                            .body()
                            .at("/incomplete_details/reason")
                            .asText())
                    .isEqualTo("steered");
            assertThat(replayed(next)).startsWith(seen(socket, "a", next));
            assertWhole(next, 400);
            assertThat(inputOf(next)).containsExactly(STEER);
            var other = idOf(socket.lane("b"));
            assertThat(replayed(other)).startsWith(seen(socket, "b", other));
            assertWhole(other, 900);
            second.process().stop(Duration.ofSeconds(30));
        } finally {
            first.process().close();
        }
    }

    @Test
    void aSteerThatWasAcceptedSurvivesItsGateway() throws Exception {
        // Given
        var worker = startWorker();
        var gateway = startGateway();
        try (var socket = new LaneSocket(gateway, RunningSuite.SUMMARY_KEY)) {
            socket.send(create("a", 500));
            var id = idOf(socket.await("a", speaks(10)));
            worker.process().pause();
            steer(socket, id);
            socket.await("a", accepted(1));
            // When
            gateway.process().kill();
            worker.process().resume();
            // Then
            Eventually.until(
                    () -> there.get("/v1/responses/" + id).body().path("status").asText(),
                    status -> !status.equals("in_progress"));
            var next = there.post(
                    "/v1/responses",
                    "{\"model\":\"%s\",\"previous_response_id\":\"%s\",\"input\":\"Say hello.\"}".formatted(MODEL, id));
            assertThat(next.status()).as(next.body().toString()).isEqualTo(200);
            assertThat(inputOf(next.body().path("id").asText())).containsExactly(STEER, "Say hello.");
        } finally {
            worker.process().stop(Duration.ofSeconds(30));
        }
    }

    private Service startWorker() {
        return SharedSuite.suite()
                .startWorker(Map.of(
                        "WORKER_MODEL_NAME", MODEL,
                        "WORKER_SIMULATED_FIRST_TOKEN_TIME", "10ms",
                        "WORKER_SIMULATED_PER_TOKEN_TIME", "10ms"))
                .ready();
    }

    /// A gateway that may die, and that knows the model as the other one does.
    private Service startGateway() throws InterruptedException {
        var gateway = SharedSuite.startGateway(Map.of());
        for (var client : List.of(there, SharedSuite.suite().client(gateway, RunningSuite.SUMMARY_KEY))) {
            Eventually.until(
                    () -> client.get("/v1/models").body().path("data").findValuesAsText("id"),
                    models -> models.contains(MODEL));
        }
        return gateway;
    }

    private static String create(String lane, int last) {
        return "{\"type\":\"response.create\",\"stream_id\":\"%s\",\"model\":\"%s\",\"input\":\"Count from 1 to %d.\"}"
                .formatted(lane, MODEL, last);
    }

    private static void steer(LaneSocket socket, String id) {
        socket.send(
                "{\"type\":\"response.steer\",\"previous_response_id\":\"%s\",\"input\":\"%s\"}".formatted(id, STEER));
    }

    private static Predicate<List<ObjectNode>> speaks(int deltas) {
        return events -> count(events, "response.output_text.delta") >= deltas;
    }

    private static Predicate<List<ObjectNode>> accepted(int steers) {
        return events -> count(events, "response.steer.accepted") == steers;
    }

    private static long count(List<ObjectNode> events, String type) {
        return events.stream()
                .filter(event -> event.path("type").asText().equals(type))
                .count();
    }

    private static List<ObjectNode> after(List<ObjectNode> events, String type) {
        var types = events.stream().map(event -> event.path("type").asText()).toList();
        return types.contains(type) ? events.subList(types.indexOf(type) + 1, events.size()) : List.of();
    }

    private static String idOf(List<ObjectNode> events) {
        return events.getFirst().at("/response/id").asText();
    }

    /// The events of one response of a lane.
    private static JsonNode[] seen(LaneSocket socket, String lane, String id) {
        var current = "";
        var seen = new ArrayList<JsonNode>();
        for (var event : socket.lane(lane)) {
            current = event.at("/response/id").asText(current);
            if (current.equals(id) && !event.path("type").asText().startsWith("response.steer.")) {
                seen.add(event);
            }
        }
        return seen.toArray(JsonNode[]::new);
    }

    private List<JsonNode> replayed(String id) {
        try (var stream = Blocks.again(there, "/v1/responses/" + id + "?stream=true")) {
            return stream.rest().stream()
                    .filter(block -> block.contains("{"))
                    .map(block -> ApiClient.tree(block.substring(block.indexOf('{'))))
                    .toList();
        }
    }

    private void assertWhole(String id, int last) {
        var response = there.get("/v1/responses/" + id).body();
        assertThat(response.path("status").asText()).isEqualTo("completed");
        var text = response.path("output").findValuesAsText("text").getLast();
        assertThat(text.split("\\D+"))
                .containsExactly(IntStream.rangeClosed(1, last)
                        .mapToObj(Integer::toString)
                        .toArray(String[]::new));
    }

    private List<String> inputOf(String id) {
        var items = there.get("/v1/responses/" + id + "/input_items?order=asc")
                .body()
                .path("data");
        return items.findValuesAsText("text");
    }
}
