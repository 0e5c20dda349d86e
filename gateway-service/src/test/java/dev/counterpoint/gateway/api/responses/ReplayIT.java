package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.turn.FakeGeneration;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.validator.testkit.SseReader;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Stored responses streamed again, cancelled and deleted while they run: what a client is told.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ReplayIT {
    private static final String QUESTION = "\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final List<ModelOutput> RAW = ModelScript.read("""
            [{"message":0,"channel":"analysis","raw":true,"text":"CANARY","closed":true},{"sealed":"YQ"},
             {"message":1,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");
    private final Api trusted = Api.ofTenant(tenant, "reasoning:raw");

    @AfterEach
    void everythingWorksAgain() {
        FakeModels.replaysFail(null);
        FakeModels.busAnswers(true);
        FakeModels.accessLogAnswers(true);
    }

    @Test
    void aStreamIsTheSameBytesAgainFromEveryEventOn() {
        // Given
        FakeModels.next(FOUR);
        var first = caller.post("/v1/responses", """
                {%s,"stream":true,"temperature":1,"metadata":{"b":"1","a":"\\u00e9"},"tools":[{"type":"function",
                 "name":"add","parameters":{"type":"object","maximum":1.0,"x":1e2},"strict":false}]}""".formatted(QUESTION));
        var whole = new String(first.http().body(), UTF_8);
        var path = "/v1/responses/resp_" + FakeModels.last().generation().id() + "?stream=true";
        var events = whole.split("(?<=\n\n)");
        // Then
        assertThat(text(caller.get(path))).isEqualTo(whole);
        for (int last = 0; last + 1 < events.length; last++) {
            var rest = String.join("", List.of(events).subList(last + 1, events.length));
            assertThat(text(caller.get(path + "&starting_after=" + last))).isEqualTo(rest);
        }
        assertThat(text(caller.get(path + "&starting_after=99999"))).isEqualTo("data: [DONE]\n\n");
    }

    @Test
    void aReplayIsPaddedAsItsReaderWishes() {
        // Given
        FakeModels.next(FOUR);
        var first = text(caller.post("/v1/responses", "{%s,\"stream\":true}".formatted(QUESTION)));
        var path = "/v1/responses/resp_" + FakeModels.last().generation().id() + "?stream=true&include_obfuscation=";

        // Then
        assertThat(first).contains("\"obfuscation\":\"");
        assertThat(text(caller.get(path + "true"))).isEqualTo(first);
        assertThat(text(caller.get(path + "false"))).isEqualTo(first.replaceAll(",\"obfuscation\":\"[^\"]*\"", ""));
    }

    @Test
    void aBackgroundStreamIsLeftAndTakenUpAgain() throws Exception {
        // Given
        FakeModels.next(List.of());
        String id;
        try (var reader = new SseReader(open("{%s,\"background\":true,\"stream\":true}".formatted(QUESTION)))) {
            id = WireJson.parse(reader.next().orElseThrow().data().getBytes(UTF_8))
                    .at("/response/id")
                    .asText();
        }
        var generation = FakeModels.last().generation();
        // When
        FOUR.forEach(generation::say);
        var rest = text(caller.get("/v1/responses/" + id + "?stream=true&starting_after=1"));
        // Then
        assertThat(rest).startsWith("event: response.output_item.added").contains("event: response.completed");
        assertThat(caller.get("/v1/responses/" + id).json().path("status").asText())
                .as("committed before its end was told")
                .isEqualTo("completed");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            stream=maybe,                              stream,              invalid_value
            stream=true&starting_after=first,          starting_after,      invalid_value
            stream=true&starting_after=-1,             starting_after,      invalid_value
            stream=true&starting_after=1.5,            starting_after,      invalid_value
            stream=true&starting_after=9223372036854775808, starting_after, invalid_value
            starting_after=1,                          starting_after,      invalid_value
            stream=true&include_obfuscation=maybe,     include_obfuscation, invalid_value
            """)
    void whatIsWrongIsNamed(String query, String param, String code) {
        // Given
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{" + QUESTION + "}");
        // When
        var answer = caller.get(
                "/v1/responses/resp_" + FakeModels.last().generation().id() + "?" + query);
        // Then
        assertRefused(answer, 400, code);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(param);
    }

    @Test
    void onlyTheTenantsOwnStoredResponsesAreThere() {
        // Given
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{%s,\"store\":false}".formatted(QUESTION));
        var unstored = "resp_" + FakeModels.last().generation().id();
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{" + QUESTION + "}");
        var stored = "resp_" + FakeModels.last().generation().id();
        var stranger = Api.newCaller("reasoning:raw");
        // Then
        for (var id : List.of(unstored, "resp_1", "chatcmpl-1")) {
            assertThat(caller.get("/v1/responses/" + id + "?stream=true").status())
                    .isEqualTo(404);
            assertThat(caller.post("/v1/responses/" + id + "/cancel", "").status())
                    .isEqualTo(404);
        }
        assertThat(stranger.get("/v1/responses/" + stored + "?stream=true").status())
                .isEqualTo(404);
        assertThat(stranger.post("/v1/responses/" + stored + "/cancel", "").status())
                .isEqualTo(404);
        caller.delete("/v1/responses/" + stored);
        assertThat(caller.get("/v1/responses/" + stored + "?stream=true").status())
                .isEqualTo(404);
    }

    @Test
    void rawReasoningIsReadAgainByEntitledKeysOnlyAndIsOnRecordFirst() {
        // Given
        FakeModels.next(RAW);
        var first = text(trusted.post("/v1/responses", "{%s,\"stream\":true}".formatted(QUESTION)));
        var id = FakeModels.last().generation().id().toString();
        var path = "/v1/responses/resp_" + id + "?stream=true";
        // When
        var refused = caller.get(path);
        var again = trusted.get(path);
        // Then
        assertRefused(refused, 403, "missing_scope");
        assertThat(refused.json().at("/error/message").asText()).contains("reasoning:raw");
        assertThat(text(refused)).doesNotContain("CANARY");
        assertThat(text(again)).isEqualTo(first).contains("CANARY");
        assertThat(FakeModels.accesses().stream()
                        .filter(entry -> entry.response().equals(id))
                        .map(AccessEntry::id))
                .as("once shown, once shown again, and none for the refusal")
                .hasSize(2)
                .doesNotHaveDuplicates();
        FakeModels.accessLogAnswers(false);
        assertThat(trusted.get(path).status()).isEqualTo(503);
    }

    @Test
    void whatCannotBeReplayedNowOrAnyMoreSaysSo() {
        // Given
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{" + QUESTION + "}");
        var path = "/v1/responses/resp_" + FakeModels.last().generation().id() + "?stream=true";
        // Then
        FakeModels.replaysFail(new Replays.GoneException());
        assertRefused(caller.get(path), 400, "replay_window_passed");
        assertThat(caller.get(path).json().at("/error/message").asText()).contains("60 minutes");
        FakeModels.replaysFail(new Replays.BusyException());
        assertRefused(caller.get(path), 503, "service_unavailable");
        assertThat(caller.get(path).header("retry-after")).isNotEmpty();
    }

    @Test
    void aBackgroundResponseIsCancelledOnceAndForAll() throws Exception {
        // Given
        var generation = background();
        generation.say(FOUR.getFirst());
        var path = "/v1/responses/resp_" + generation.id();
        // When
        var cancelled = caller.post(path + "/cancel", "");
        // Then
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.json().path("status").asText()).isEqualTo("cancelled");
        assertThat(caller.post(path + "/cancel", "").json()).isEqualTo(cancelled.json());
        assertThat(caller.get(path).json()).isEqualTo(cancelled.json());
    }

    @Test
    void whatEndedBeforeItWasCancelledStaysAsItIs() throws Exception {
        // Given
        var generation = background();
        FOUR.forEach(generation::say);
        assertThat(generation.isSettled()).isTrue();
        // When
        var answer = caller.post("/v1/responses/resp_" + generation.id() + "/cancel", "");
        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("status").asText()).isEqualTo("completed");
    }

    @Test
    void aResponseThatIsBoundToItsClientIsNotCancelledFromElsewhere() {
        // Given
        FakeModels.next(FOUR);
        caller.post("/v1/responses", "{" + QUESTION + "}");
        // When
        var answer = caller.post(
                "/v1/responses/resp_" + FakeModels.last().generation().id() + "/cancel", "");
        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo("response_id");
    }

    @Test
    void whileTheBusIsAwayNothingIsSaidToBeCancelled() throws Exception {
        // Given
        var generation = background();
        FakeModels.busAnswers(false);
        // When
        var answer = caller.post("/v1/responses/resp_" + generation.id() + "/cancel", "");
        // Then
        assertRefused(answer, 503, "service_unavailable");
        assertThat(answer.header("retry-after")).isNotEmpty();
        generation.cancel();
    }

    @Test
    void aDeletedResponseIsStoppedAndItsEndBringsNothingBack() throws Exception {
        // Given
        var generation = background();
        var path = "/v1/responses/resp_" + generation.id();
        // When
        assertThat(caller.delete(path).status()).isEqualTo(200);
        // Then
        assertThat(caller.get(path).status()).isEqualTo(404);
        assertThat(caller.get(path + "?stream=true").status()).isEqualTo(404);
        assertThat(caller.post(path + "/cancel", "").status()).isEqualTo(404);
        assertThat(generation.isAbandoned()).isTrue();
        assertThat(generation.isSettled()).isTrue();
        assertThat(caller.get(path).status()).isEqualTo(404);
    }

    @Test
    void aResponseIsDeletedThoughTheBusIsAway() {
        // Given
        var generation = background();
        var path = "/v1/responses/resp_" + generation.id();
        FakeModels.busAnswers(false);
        // When
        assertThat(caller.delete(path).status()).isEqualTo(200);
        // Then
        assertThat(caller.get(path).status()).isEqualTo(404);
        generation.abandon();
    }

    private FakeGeneration background() {
        FakeModels.next(List.of());
        assertThat(caller.post("/v1/responses", "{%s,\"background\":true}".formatted(QUESTION))
                        .status())
                .isEqualTo(200);
        return FakeModels.last().generation();
    }

    private InputStream open(String body) throws Exception {
        var request = caller.request("/v1/responses")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    private static String text(Api.Answer answer) {
        return new String(answer.http().body(), UTF_8);
    }

    private static void assertRefused(Api.Answer answer, int status, String code) {
        assertThat(answer.status()).as(text(answer)).isEqualTo(status);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo(code);
    }
}
