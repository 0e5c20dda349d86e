package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.recovery.RecoveredTurns;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeGeneration;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.validator.testkit.SseReader;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ResponsesIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String QUESTION = "\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"";

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Inject
    RecoveredTurns recovery;

    private final Api caller = Api.newCaller("reasoning:summary");
    private final Api trusted = Api.newCaller("reasoning:raw");

    @Test
    void anAnswerComesWholeAndCanBeReadAgainUntilItIsDeleted() {
        // When
        FakeModels.next(FOUR);
        var answer = caller.post("/v1/responses", "{%s,\"metadata\":{\"a\":\"b\"}}".formatted(QUESTION));

        // Then
        var response = answer.json();
        var path = "/v1/responses/" + response.path("id").asText();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("x-request-id")).isNotEmpty();
        assertThat(response.path("status").asText()).isEqualTo("completed");
        assertThat(response.at("/output/0/content/0/text").asText()).isEqualTo("4");
        assertThat(response.at("/usage/total_tokens").asInt())
                .isEqualTo(ModelScript.INPUT_TOKENS + ModelScript.OUTPUT_TOKENS);
        assertThat(caller.get(path).json()).isEqualTo(response);
        assertThat(trusted.get(path).status()).isEqualTo(404);
        assertThat(caller.delete(path).json().path("deleted").asBoolean()).isTrue();
        assertThat(caller.get(path).status()).isEqualTo(404);
        assertThat(caller.delete(path).status()).isEqualTo(404);
    }

    @Test
    void toolsOfItemsAreOfferedFromThereOnAndAllTurnsIsToldAsTheCurrentOne() {
        // When
        FakeModels.next(FOUR);
        var answer = caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","reasoning":{"context":"all_turns"},"tool_choice":"required","input":[
                 {"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"shell"},
                  {"type":"web_search"}]},{"role":"user","content":"2+2?"}]}""");
        FakeModels.next(FOUR);
        var later = caller.post(
                "/v1/responses",
                "{%s,\"previous_response_id\":\"%s\",\"tool_choice\":\"required\"}"
                        .formatted(QUESTION, answer.json().path("id").asText()));

        // Then
        assertThat(answer.header("x-counterpoint-ignored")).isEqualTo("input[0].tools[1]");
        assertThat(answer.json().at("/reasoning/context").asText()).isEqualTo("current_turn");
        assertThat(answer.json().at("/warnings/0").asText()).startsWith("reasoning_context: ");
        assertThat(answer.json().path("tools")).hasSize(2);
        assertThat(later.json().path("warnings").isMissingNode()).isTrue();
        assertThat(FakeModels.last().submission().job().tools())
                .extracting(tool -> tool.name())
                .containsExactly("shell");
    }

    @Test
    void whoeverReadsTheEndOfAStreamFindsTheResponse() throws Exception {
        // When
        FakeModels.next(FOUR);
        var answer = caller.post("/v1/responses", "{%s,\"stream\":true}".formatted(QUESTION));

        // Then
        var events = events(new ByteArrayInputStream(answer.http().body()));
        var completed = events.getLast().path("response");
        assertThat(caller.get("/v1/responses/" + completed.path("id").asText()).json())
                .isEqualTo(completed);
        assertThat(new String(answer.http().body(), StandardCharsets.UTF_8)).endsWith("data: [DONE]\n\n");
        assertThat(FakeModels.last().generation().isSettled()).isTrue();
    }

    @Test
    void rawReasoningIsForTrustedCallersAndIsNotKept() {
        // Given
        var script = ModelScript.read("""
                [{"message":0,"channel":"analysis","raw":true,"text":"CANARY","closed":true},{"sealed":"YQ"},
                 {"message":1,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

        // When
        FakeModels.next(script);
        var response = trusted.post("/v1/responses", "{" + QUESTION + ",\"include\":[\"reasoning.encrypted_content\"]}")
                .json();

        // Then
        assertThat(FakeModels.last().submission().rawReasoning()).isTrue();
        assertThat(response.at("/output/0/content/0/text").asText()).isEqualTo("CANARY");
        var stored =
                trusted.get("/v1/responses/" + response.path("id").asText()).json();
        assertThat(stored.toString()).doesNotContain("CANARY");
        assertThat(response.at("/output/0/encrypted_content").asText()).isEqualTo("YQ");
        assertThat(stored.toString()).as("dead after the answer").doesNotContain("encrypted_content");
    }

    @Test
    void aSummaryThatNobodyCanMakeIsSaidToBeMissing() {
        // When
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"sealed":"YQ"},{"message":1,"channel":"final","text":"4","closed":true},
                 {"finish":"STOP"}]"""));
        var response = caller.post("/v1/responses", "{%s,\"reasoning\":{\"summary\":\"auto\"}}".formatted(QUESTION))
                .json();

        // Then
        assertThat(FakeModels.last().submission().rawReasoning()).isFalse();
        assertThat(response.at("/output/0/summary").isEmpty()).isTrue();
        assertThat(response.path("reasoning_unavailable").asBoolean()).isTrue();
        assertThat(response.path("warnings")).hasSize(1);
    }

    @Test
    void aToolTurnGoesOnFromThePreviousResponse() throws Exception {
        // Given
        var tools = "\"tools\":[{\"type\":\"function\",\"name\":\"add\",\"parameters\":{\"type\":\"object\"}}]";
        FakeModels.next(List.of());
        var tenant = start(caller, "{%s,%s,\"background\":true}".formatted(QUESTION, tools))
                .tenant();
        var generation = FakeModels.last().generation();
        var id = "resp_" + generation.id();
        var blob = Blobs.of(tenant).in(id).seal();
        ModelScript.read("""
                [{"hidden":0},{"sealed":"%s"},
                 {"message":1,"channel":"commentary","to":"functions.add","text":"{}","closed":true},
                 {"finish":"STOP"}]""".formatted(blob)).forEach(generation::say);
        assertThat(generation.isSettled()).isTrue();
        var first = caller.get("/v1/responses/" + id).json();
        var call = first.at("/output/1/call_id").asText();

        // When a reference names the stored items
        FakeModels.next(FOUR);
        caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","store":false,"input":[{"role":"user","content":"2+2?"},
                 {"type":"item_reference","id":"%s"},{"type":"item_reference","id":"%s"},
                 {"type":"function_call_output","call_id":"%s","output":"4"}]}""".formatted(
                first.at("/output/0/id").asText(), first.at("/output/1/id").asText(), call));
        var byReference = FakeModels.last().submission();

        // And when the previous response is named
        FakeModels.next(FOUR);
        caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","previous_response_id":"%s",
                 "input":[{"type":"function_call_output","call_id":"%s","output":"4"}]}""".formatted(id, call));
        var byResponse = FakeModels.last().submission();

        // Then both mean the same
        assertThat(byResponse.job().prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Sealed(blob),
                        new PromptItem.Call(call, "add", "{}"),
                        new PromptItem.CallOutput(call, "add", "4"));
        assertThat(byReference.job().prompt()).isEqualTo(byResponse.job().prompt());
        assertThat(byReference.stored()).isFalse();
    }

    @Test
    void callsOfACustomToolAndInANamespaceGoOnFromThePreviousResponse() {
        // Given
        var tools = """
                "tools":[{"type":"custom","name":"run"},{"type":"namespace","name":"files","description":"Files",
                 "tools":[{"type":"function","name":"read"}]},{"type":"web_search"}]""";
        FakeModels.next(ModelScript.read("""
                [{"message":0,"channel":"commentary","to":"functions.run",
                  "text":"{\\"input\\":\\"ls\\"}","closed":true},
                 {"message":1,"channel":"commentary","to":"functions.files.read","text":"{}","closed":true},
                 {"finish":"STOP"}]"""));
        var response = caller.post("/v1/responses", "{%s,%s}".formatted(QUESTION, tools))
                .json();
        var run = response.at("/output/0");
        var read = response.at("/output/1");

        // When
        FakeModels.next(FOUR);
        caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","previous_response_id":"%s",%s,"input":[
                 {"type":"custom_tool_call_output","call_id":"%s","output":"a.txt"},
                 {"type":"function_call_output","call_id":"%s","output":"text"}]}""".formatted(
                        response.path("id").asText(),
                        tools,
                        run.path("call_id").asText(),
                        read.path("call_id").asText()));

        // Then
        assertThat(run.path("type").asText()).isEqualTo("custom_tool_call");
        assertThat(run.path("input").asText()).isEqualTo("ls");
        assertThat(read.path("namespace").asText()).isEqualTo("files");
        assertThat(response.at("/tools/2/type").asText()).isEqualTo("web_search");
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Call(run.path("call_id").asText(), "run", "{\"input\":\"ls\"}"),
                        new PromptItem.Call(read.path("call_id").asText(), "files.read", "{}"),
                        new PromptItem.CallOutput(run.path("call_id").asText(), "run", "a.txt"),
                        new PromptItem.CallOutput(read.path("call_id").asText(), "files.read", "text"));
    }

    @Test
    void anotherTenantsResponseIsAsAbsentAsOneThatNeverWas() {
        // Given
        FakeModels.next(FOUR);
        var id = caller.post("/v1/responses", "{" + QUESTION + "}")
                .json()
                .path("id")
                .asText();

        // Then
        for (var previous : List.of(id, "resp_x")) {
            var answer =
                    trusted.post("/v1/responses", "{%s,\"previous_response_id\":\"%s\"}".formatted(QUESTION, previous));
            assertRefused(answer, 400, "previous_response_not_found", "previous_response_id");
        }
    }

    @Test
    void refusalsComeWithStatusAndName() {
        assertRefused(
                caller.post("/v1/responses", "{\"model\":\"gpt-0\",\"input\":\"x\"}"), 404, "model_not_found", "model");
        assertThat(caller.post("/v1/responses", "{\"model\":\"gpt-oss-away\",\"input\":\"x\"}")
                        .header("retry-after"))
                .isNotEmpty();
        assertRefused(
                caller.post("/v1/responses", "{%s,\"top_logprobs\":2}".formatted(QUESTION)),
                400,
                "unsupported_parameter",
                "top_logprobs");
        assertRefused(
                caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","input":[{"role":"user","content":"x"},
                 {"type":"reasoning","summary":[],"encrypted_content":"%s"}]}""".formatted(Blobs.of("another").seal())),
                400,
                "invalid_encrypted_content",
                "input[1].encrypted_content");
        FakeModels.next(ModelScript.read("[{\"finish\":\"PROMPT_TOO_LONG\"}]"));
        assertRefused(
                caller.post("/v1/responses", "{%s}".formatted(QUESTION)), 400, "context_length_exceeded", "input");
    }

    @Test
    void aStreamBeginsBeforeTheModelSaysAnything() {
        FakeModels.next(ModelScript.read("[{\"finish\":\"PROMPT_TOO_LONG\"}]"));

        var stream = new String(
                caller.post("/v1/responses", "{%s,\"stream\":true}".formatted(QUESTION))
                        .http()
                        .body(),
                UTF_8);

        assertThat(stream.lines().filter(line -> line.startsWith("event: ")))
                .containsExactly("event: response.created", "event: response.in_progress", "event: response.failed");
        assertThat(stream).contains("\"code\":\"invalid_prompt\"");
    }

    @Test
    void aBackgroundResponseIsPolled() throws Exception {
        // When
        FakeModels.next(List.of());
        var queued = caller.post("/v1/responses", "{%s,\"background\":true}".formatted(QUESTION))
                .json();
        var path = "/v1/responses/" + queued.path("id").asText();
        var running = caller.get(path).json();
        FOUR.forEach(FakeModels.last().generation()::say);
        assertThat(FakeModels.last().generation().isSettled()).isTrue();

        // Then
        assertThat(queued.path("status").asText()).isEqualTo("queued");
        assertThat(running.path("status").asText()).isEqualTo("in_progress");
        assertThat(running.path("background").asBoolean()).isTrue();
        assertThat(caller.get(path).json().path("status").asText()).isEqualTo("completed");
    }

    @Test
    void aClientThatLeavesEndsItsResponse() throws Exception {
        // Given
        FakeModels.next(ModelScript.read("[{\"message\":0,\"channel\":\"final\",\"text\":\"4\"}]"));
        var stream = open(caller, "{%s,\"stream\":true}".formatted(QUESTION));
        String id;
        try (var reader = new SseReader(stream.body())) {
            id = tree(reader.next().orElseThrow().data()).at("/response/id").asText();
        }

        // Then
        assertThat(FakeModels.last().generation().isAbandoned()).isTrue();
        assertThat(FakeModels.last().generation().isSettled()).isTrue();
        assertThat(caller.get("/v1/responses/" + id).json().path("status").asText())
                .isEqualTo("cancelled");
    }

    @Test
    void aResponseThatAGatewayLeftBehindIsBroughtToItsEnd() throws Exception {
        // Given
        FakeModels.next(List.of());
        var submission = start(caller, "{%s,\"background\":true}".formatted(QUESTION));
        var id = FakeModels.last().generation().id();
        var accepted = new Accepted(
                submission.tenant(),
                submission.key(),
                submission.model(),
                id.acceptedAtMillis(),
                id.acceptedAtMillis() + 60_000,
                Set.of(),
                true,
                true,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(new byte[0], new byte[0], new byte[0], new byte[0]),
                "",
                1);
        var again = new FakeGeneration(id, FOUR);

        // When
        recovery.take(again, accepted, submission.echo());

        // Then
        assertThat(again.isSettled()).isTrue();
        var stored = caller.get("/v1/responses/resp_" + id).json();
        assertThat(stored.path("status").asText()).isEqualTo("completed");
        assertThat(stored.at("/output/0/content/0/text").asText()).isEqualTo("4");
        FakeModels.last().generation().abandon();
    }

    private static Submission start(Api caller, String body) {
        assertThat(caller.post("/v1/responses", body).status()).isEqualTo(200);
        return FakeModels.last().submission();
    }

    private static HttpResponse<InputStream> open(Api caller, String body) throws Exception {
        var request = caller.request("/v1/responses")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static void assertRefused(Api.Answer answer, int status, String code, String param) {
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(status);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo(code);
        assertThat(answer.json().at("/error/param").asText()).isEqualTo(param);
    }

    private static List<JsonNode> events(InputStream body) throws Exception {
        try (var reader = new SseReader(body)) {
            return reader.readAll().stream()
                    .filter(event -> event.data().startsWith("{"))
                    .map(event -> tree(event.data()))
                    .toList();
        }
    }

    private static JsonNode tree(String json) {
        return WireJson.parse(json.getBytes(StandardCharsets.UTF_8));
    }
}
