package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayWithBus;
import dev.counterpoint.gateway.store.Sql;
import dev.counterpoint.gateway.turn.TurnIds;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.validator.testkit.SseReader;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two gateways that own the same partitions all the time: the second one asks a table of its own.
@QuarkusTest
@WithTestResource(GatewayWithBus.class)
class DoubleOwnersIT extends OwnersOnBus {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int EACH = 5;
    /// The default of `gateway.reserved-output-tokens`.
    private static final long RESERVED_OUTPUT = 1024;

    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");

    @SuppressWarnings("NullAway.Init")
    private SecondGateway second;

    @BeforeEach
    void ownAll() throws Exception {
        var ownTable = new PartitionTable(new Sql(GatewaySchema.fresh()));
        second = new SecondGateway("gateway-2", ownTable, keys, turns());
        await("both own all", () -> !firstOwns().isEmpty() && second.owned().containsAll(firstOwns()));
    }

    @AfterEach
    void closeSecond() {
        second.close();
    }

    @Test
    void eachResponseHasOneEndingOneRowAndOneCharge() throws Exception {
        // Given
        var plain = background();
        var handedOver = background();
        var died = background();
        // When some end, workers of others give up or die, and both owners act on it
        for (var id : plain) {
            var voice = voice(id, 1);
            workers.says(voice.fence(workerKeys), voice.opens(0, "one two"), voice.ends(END));
        }
        for (var id : handedOver) {
            var voice = voice(id, 1);
            workers.says(voice.fence(workerKeys), voice.opens(0, "one "), voice.handover());
        }
        for (var id : died) {
            var voice = voice(id, 1);
            workers.says(voice.fence(workerKeys), voice.opens(0, "one "));
            workers.dies(voice.worker());
        }
        for (var id : all(List.of(handedOver, died))) {
            await("the next attempt is queued", () -> log.queued(id).contains(2));
            var next = voice(id, 2);
            workers.says(next.fence(workerKeys), next.says(0, "two"));
            // a stale owner's words
            workers.says(reissue(id, 2), next.ends(END), ownerEnd(id), reissue(id, 3));
        }
        // Then
        for (var id : all(List.of(plain, handedOver, died))) {
            var row = new TurnIds(id).response();
            await("finished", () -> status(row).equals("completed"));
            var stored = caller.get("/v1/responses/" + row).json();
            assertThat(stored.at("/output/0/content/0/text").asText()).isEqualTo("one two");
            assertThat(log.valid(id).stream().filter(DoubleOwnersIT::ends)).containsExactly(FrameKind.END);
        }
        await("charged", () -> charged() == (long) 3 * EACH * USED);
        await("both let go", () -> resumesAtTheEnd());
        assertThat(charged()).isEqualTo((long) 3 * EACH * USED);
        assertThat(second.owned()).as("both own all to the end").containsAll(firstOwns());
    }

    @Test
    void aClientSeesTheSameAsTheRowThatEitherOwnerWrote() throws Exception {
        // Given
        var stream = stream();
        var reader = new SseReader(stream.body());
        var id = awaitPlaced();
        var voice = voice(id, 1);
        var next = voice(id, 2);
        // When
        workers.says(voice.fence(workerKeys), voice.opens(0, "one "), voice.handover());
        await("the next attempt is queued", () -> log.queued(id).contains(2));
        workers.says(reissue(id, 2), next.fence(workerKeys), next.says(0, "two"), next.ends(END));
        var events = reader.readAll().stream()
                .filter(event -> event.data().startsWith("{"))
                .map(event -> WireJson.parse(event.data().getBytes(StandardCharsets.UTF_8)))
                .toList();
        // Then
        var last = events.getLast();
        assertThat(last.path("type").asText()).isEqualTo("response.completed");
        assertThat(events)
                .extracting(event -> event.path("sequence_number").asInt())
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(caller.get("/v1/responses/" + new TurnIds(id).response()).json())
                .isEqualTo(last.path("response"));
    }

    @Test
    void aCancelBetweenTwoAttemptsIsTheEndWhateverTheNextWorkerSays() throws Exception {
        // Given
        var cancelled = new HashMap<ResponseId, JsonNode>();
        for (var id : background()) {
            var voice = voice(id, 1);
            workers.says(voice.fence(workerKeys), voice.opens(0, "one "), voice.handover());
            await("the next attempt is queued", () -> log.queued(id).contains(2));
            // When
            cancelled.put(id, caller.post(path(id) + "/cancel", "").json());
            var next = voice(id, 2);
            workers.says(next.fence(workerKeys), next.says(0, "two"), next.ends(END));
        }
        await("both let go", () -> resumesAtTheEnd());
        // Then
        for (var id : cancelled.keySet()) {
            assertThat(cancelled.get(id).path("status").asText()).isEqualTo("cancelled");
            assertThat(caller.get(path(id)).json()).isEqualTo(cancelled.get(id));
            assertThat(log.valid(id).stream().filter(DoubleOwnersIT::ends)).containsExactly(FrameKind.OWNER_END);
        }
        // Nobody counted, so what was kept costs: the output it might have had and a short prompt, each once.
        long kept = RESERVED_OUTPUT * cancelled.size();
        assertThat(charged()).isBetween(kept, kept + kept / 2);
    }

    private static String path(ResponseId id) {
        return "/v1/responses/" + new TurnIds(id).response();
    }

    private boolean resumesAtTheEnd() {
        return first.loop().orElseThrow().busy().isEmpty();
    }

    private static boolean ends(FrameKind kind) {
        return kind == FrameKind.END || kind == FrameKind.OWNER_END;
    }

    private List<ResponseId> background() {
        var ids = new ArrayList<ResponseId>();
        for (int i = 0; i < EACH; i++) {
            var answer = caller.post(
                    "/v1/responses",
                    "{\"model\":\"%s\",\"input\":\"hello\",\"background\":true}".formatted(WorkerVoice.MODEL));
            assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
            ids.add(TurnIds.parseResponse(answer.json().path("id").asText()).orElseThrow());
        }
        return ids;
    }

    private HttpResponse<InputStream> stream() throws Exception {
        var body = "{\"model\":\"%s\",\"input\":\"hello\",\"stream\":true}".formatted(WorkerVoice.MODEL);
        var request = caller.request("/v1/responses")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /// The response of this tenant, which has only one.
    private ResponseId awaitPlaced() throws Exception {
        var query = "select id from response where tenant_id = '" + tenant + "'";
        await("its row", () -> !ids(query).isEmpty());
        return TurnIds.parseResponse(ids(query).getFirst()).orElseThrow();
    }

    private List<String> ids(String query) {
        return database.createNativeQuery(query, String.class).getResultList();
    }

    private static List<ResponseId> all(List<List<ResponseId>> some) {
        return some.stream().flatMap(List::stream).toList();
    }

    private static Frame reissue(ResponseId id, int attempt) {
        return Frame.decision(id, attempt, FrameKind.REISSUE, new byte[0]);
    }

    private static Frame ownerEnd(ResponseId id) {
        return Frame.decision(id, 2, FrameKind.OWNER_END, new OwnerEnd(OwnerEnd.Reason.CANCELLED).encode());
    }
}
