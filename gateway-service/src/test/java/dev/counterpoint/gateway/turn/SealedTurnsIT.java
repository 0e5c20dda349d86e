package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sealed reasoning between two requests: where it goes back to the model, and where it is refused.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class SealedTurnsIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String SUMMARY = "SUMMARY-CANARY";

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");

    /// How a blob comes back: in a turn that waits for a tool, and in one that has been answered.
    enum Way {
        RESPONSES("/v1/responses", "input[1].encrypted_content", """
                {"model":"gpt-oss-20b","input":[{"role":"user","content":"2+2?"},
                 {"type":"reasoning","summary":[],"encrypted_content":"BLOB"},
                 {"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
                 {"type":"function_call_output","call_id":"c1","output":"4"}]}"""),
        RESPONSES_ANSWERED("/v1/responses", "input[1].encrypted_content", """
                {"model":"gpt-oss-20b","input":[{"role":"user","content":"2+2?"},
                 {"type":"reasoning","summary":[],"encrypted_content":"BLOB"},
                 {"role":"assistant","content":"4"},{"role":"user","content":"What did you think?"}]}"""),
        CHAT("/v1/chat/completions", "messages[1].reasoning_details[0].data", """
                {"model":"gpt-oss-20b","messages":[{"role":"user","content":"2+2?"},
                 {"role":"assistant","reasoning_details":[{"type":"reasoning.encrypted","data":"BLOB"}],
                  "tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"c1","content":"4"}]}"""),
        CHAT_ANSWERED("/v1/chat/completions", "messages[1].reasoning_details[0].data", """
                {"model":"gpt-oss-20b","messages":[{"role":"user","content":"2+2?"},
                 {"role":"assistant","content":"4",
                  "reasoning_details":[{"type":"reasoning.encrypted","data":"BLOB"}]},
                 {"role":"user","content":"What did you think?"}]}""");

        private final String path;
        private final String param;
        private final String body;

        Way(String path, String param, String body) {
            this.path = path;
            this.param = param;
            this.body = body;
        }

        Api.Answer bring(Api caller, String blob) {
            return caller.post(path, body.replace("BLOB", blob));
        }
    }

    @BeforeEach
    void somethingWasStarted() {
        FakeModels.next(FOUR);
        assertThat(Way.RESPONSES.bring(caller, Blobs.of(tenant).seal()).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void foreignReasoningIsRefusedWithOneAnswerWhateverIsWrongAndNothingIsQueued(Way way, @TempDir Path otherKeys)
            throws IOException {
        // Given
        GenerateKeys.into(otherKeys.resolve("keys"));
        var good = Blobs.of(tenant);
        var blobs = new LinkedHashMap<String, String>(Map.of(
                "another tenant", Blobs.of("tenant_other").seal(),
                "another project", good.ofProject("other").seal(),
                "another model", good.ofModel("gpt-oss-120b").seal(),
                "keys that are retired", good.seal(KeyRing.load(otherKeys.resolve("keys"), ServiceRole.WORKER)),
                "no blob at all", "c2VjcmV0",
                "nothing", ""));
        flippedBits(good.seal()).forEach((what, blob) -> blobs.put(what, blob));
        var last = FakeModels.last();

        // Then
        blobs.forEach((what, blob) -> assertRefused(way.bring(caller, blob), way.param, what));
        assertThat(FakeModels.last()).isSameAs(last);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void ownReasoningGoesBackWhileItsTurnIsOpenWhateverItsConversation(Way way) {
        for (var conversation : List.of("", "resp_of_another_time")) {
            // Given
            var blob = Blobs.of(tenant).in(conversation).seal();
            FakeModels.next(FOUR);

            // When
            var answer = way.bring(caller, blob);

            // Then
            assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
            boolean open = !way.name().endsWith("ANSWERED");
            assertThat(FakeModels.last().submission().job().prompt().contains(new PromptItem.Sealed(blob)))
                    .isEqualTo(open);
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reasoningThatIsTooOldIsLeftOutWithAWarningWhereTheModelWouldHaveSeenIt(Way way) {
        // Given
        FakeModels.next(FOUR);

        // When
        var answer = way.bring(caller, Blobs.of(tenant).expired().seal());

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(Blobs.areRead(FakeModels.last().submission().job())).isFalse();
        assertThat(said(answer)).contains("turn_boundary");
        assertThat(said(answer).contains("reasoning_expired"))
                .isEqualTo(!way.name().endsWith("ANSWERED"));
    }

    @ParameterizedTest
    @EnumSource(BlobMatrix.Api.class)
    void reasoningThatDoesNotFitItsRequestIsLeftOutAndListed(BlobMatrix.Api api) {
        for (var change : BlobMatrix.Change.values()) {
            if (api == BlobMatrix.Api.CHAT && change == BlobMatrix.Change.ITEM) {
                continue; // a chat has no items
            }
            // Given
            FakeModels.next(FOUR);
            caller.post(api.path, api.first());
            var blob = Blobs.of(FakeModels.last());
            var item = FakeModels.last().generation().id().reasoningItem(0);
            FakeModels.next(FOUR);

            // When
            var answer = caller.post(api.path, api.next(change, blob, item));

            // Then
            assertThat(answer.status()).as(said(answer)).isEqualTo(200);
            var job = FakeModels.last().submission().job();
            assertThat(Blobs.areRead(job)).as(change.name()).isEqualTo(change.reason.isEmpty());
            assertListed(answer, api, change == BlobMatrix.Change.ITEM ? "rs_other" : item, change.reason);
            // And nobody else's
            assertRefused(
                    Api.newCaller("reasoning:summary").post(api.path, api.next(change, blob, item)),
                    param(api, change),
                    change.name());
        }
    }

    private static String param(BlobMatrix.Api api, BlobMatrix.Change change) {
        boolean moved = change == BlobMatrix.Change.MOVED;
        return api == BlobMatrix.Api.CHAT
                ? "messages[%d].reasoning_details[0].data".formatted(moved ? 6 : 2)
                : "input[%d].encrypted_content".formatted(moved ? 5 : 1);
    }

    private static void assertListed(Api.Answer answer, BlobMatrix.Api api, String item, String reason) {
        if (api == BlobMatrix.Api.CHAT) {
            var warning = "reasoning_removed: the model does not see this reasoning of the request: " + item + " ("
                    + reason + ").";
            assertThat(answer.json().at("/choices/0/message/warnings").toString())
                    .isEqualTo(reason.isEmpty() ? "" : "[\"" + warning + "\"]");
        } else {
            var removed = "[{\"id\":\"%s\",\"type\":\"reasoning\",\"action\":\"removed\",\"reason\":\"%s\"}]";
            assertThat(answer.json().path("input_transformations").toString())
                    .isEqualTo(reason.isEmpty() ? "" : removed.formatted(item, reason));
        }
    }

    @Test
    void aConversationThatTheServerHoldsComparesNeitherInstructionsNorTools() {
        // Given
        FakeModels.next(FOUR);
        var first = caller.post("/v1/responses", BlobMatrix.Api.RESPONSES.first());
        var blob = Blobs.of(FakeModels.last());
        FakeModels.next(FOUR);

        // When
        var answer = caller.post(
                "/v1/responses", """
                {"model":"gpt-oss-20b","instructions":"Be rude","safety_identifier":"anna","previous_response_id":"%s",
                 "input":[{"type":"reasoning","summary":[],"encrypted_content":"%s"}]}""".formatted(first.json().path("id").asText(), blob));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(said(answer)).doesNotContain("input_transformations");
        assertThat(Blobs.areRead(FakeModels.last().submission().job())).isTrue();
    }

    private static String said(Api.Answer answer) {
        return new String(answer.http().body(), StandardCharsets.UTF_8);
    }

    @Test
    void aConversationThatTheServerHoldsTakesItsOwnReasoningOnly() {
        // Given
        FakeModels.next(FOUR);
        var first = caller.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"}")
                .json()
                .path("id")
                .asText();
        FakeModels.next(FOUR);
        var second = goOn(first, "3+3?").json().path("id").asText();
        var started = FakeModels.last();

        // Then whatever stands at its beginning names it
        assertThat(started.submission().job().reasoning().heldConversation()).isEqualTo(first);
        assertThat(started.submission().job().reasoning().conversation()).isEqualTo(first);
        var good = Blobs.of(tenant);
        for (var foreign : List.of("", second, "resp_other")) {
            FakeModels.next(FOUR);
            assertThat(said(bring(second, good.in(foreign).seal()))).contains("prefix_mismatch");
            assertThat(Blobs.areRead(FakeModels.last().submission().job())).isFalse();
        }
        FakeModels.next(FOUR);
        assertThat(said(bring(second, good.in(first).seal()))).doesNotContain("input_transformations");
        assertThat(Blobs.areRead(FakeModels.last().submission().job())).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"RESPONSES", "CHAT"})
    void aWorkerThatRefusesItGivesTheSameAnswer(Way way) {
        // A stream of Chat begins with the first output only, so it too is refused by its status.
        for (boolean stream : way == Way.CHAT ? List.of(false, true) : List.of(false)) {
            var answer = refusedByAWorker(way, stream);

            // Then it names the conversation, because a worker does not tell where in it
            assertRefused(answer, way == Way.CHAT ? "messages" : "input", "by a worker");
        }
    }

    @Test
    void aStreamOfAResponseThatHasBegunEndsAsFailed() {
        var stream = new String(refusedByAWorker(Way.RESPONSES, true).http().body(), StandardCharsets.UTF_8);

        assertThat(stream.lines().filter(line -> line.startsWith("event: ")))
                .containsExactly("event: response.created", "event: response.in_progress", "event: response.failed");
        assertThat(stream).contains("The encrypted content of a reasoning item could not be verified.");
    }

    private Api.Answer refusedByAWorker(Way way, boolean stream) {
        FakeModels.next(ModelScript.read("[{\"finish\":\"INVALID_REASONING\"}]"));
        var body = way.body.replaceFirst("\\{", "{\"stream\":" + stream + ",");
        return caller.post(way.path, body.replace("BLOB", Blobs.of(tenant).seal()));
    }

    @Test
    void onlyAStoredResponseBeginsAConversation() {
        for (boolean stored : List.of(true, false)) {
            FakeModels.next(FOUR);
            var id = caller.post(
                            "/v1/responses",
                            "{\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\",\"store\":%s}".formatted(stored))
                    .json()
                    .path("id")
                    .asText();

            var terms = FakeModels.last().submission().job().reasoning();
            assertThat(terms.heldConversation()).isEmpty();
            assertThat(terms.conversation()).isEqualTo(stored ? id : "");
        }
    }

    @Test
    void theKeysProjectIsPartOfTheBond() {
        // Given
        var other = Api.ofProject(tenant, "search");
        FakeModels.next(FOUR);

        // When
        var own = Way.CHAT.bring(other, Blobs.of(tenant).ofProject("search").seal());

        // Then
        assertThat(own.status()).isEqualTo(200);
        assertRefused(Way.CHAT.bring(other, Blobs.of(tenant).seal()), Way.CHAT.param, "of the default project");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'reasoning':'SUMMARY'",
                "'reasoning_content':'SUMMARY'",
                "'reasoning_summary':'SUMMARY'",
                "'reasoning_details':[{'type':'reasoning.summary','summary':'SUMMARY'}]",
                "'reasoning':'SUMMARY','reasoning_details':[{'type':'reasoning.summary','summary':'SUMMARY'}]"
            })
    void aSummaryThatAChatClientBringsBackIsNeverPartOfThePrompt(String member) {
        FakeModels.next(FOUR);

        var answer = caller.post(
                "/v1/chat/completions", """
                {"model":"gpt-oss-20b","messages":[{"role":"user","content":"2+2?"},{"role":"assistant",%s,
                 "tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"c1","content":"4"}]}""".formatted(member.replace('\'', '"').replace("SUMMARY", SUMMARY)));

        assertThat(answer.status()).isEqualTo(200);
        assertNoSummaryInThePrompt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reasoning:summary", "reasoning:raw"})
    void aSummaryThatComesBackToTheResponsesApiIsNeverPartOfThePrompt(String scope) {
        FakeModels.next(FOUR);

        var answer = Api.newCaller(scope).post("/v1/responses", """
                {"model":"gpt-oss-20b","input":[{"role":"user","content":"2+2?"},
                 {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"%s"}]},
                 {"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
                 {"type":"function_call_output","call_id":"c1","output":"4"}]}""".formatted(SUMMARY));

        assertThat(answer.status()).isEqualTo(200);
        assertNoSummaryInThePrompt();
    }

    private static void assertNoSummaryInThePrompt() {
        var job = FakeModels.last().submission().job();
        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Call("c1", "add", "{}"),
                        new PromptItem.CallOutput("c1", "add", "4"));
        assertThat(new String(job.encode(), StandardCharsets.UTF_8)).doesNotContain(SUMMARY);
    }

    private Api.Answer goOn(String previous, String question) {
        return caller.post(
                "/v1/responses",
                "{\"model\":\"gpt-oss-20b\",\"previous_response_id\":\"%s\",\"input\":\"%s\"}"
                        .formatted(previous, question));
    }

    private Api.Answer bring(String previous, String blob) {
        return caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","previous_response_id":"%s","input":[
                 {"type":"reasoning","summary":[],"encrypted_content":"%s"},
                 {"role":"user","content":"go on"}]}""".formatted(previous, blob));
    }

    /// One bit in every part of the blob: header, MAC, and what is sealed.
    private static Map<String, String> flippedBits(String blob) {
        var flipped = new LinkedHashMap<String, String>();
        for (int at = 0; at < blob.length(); at += blob.length() / 12) {
            char other = blob.charAt(at) == 'A' ? 'B' : 'A';
            flipped.put("altered at " + at, blob.substring(0, at) + other + blob.substring(at + 1));
        }
        return flipped;
    }

    private static void assertRefused(Api.Answer answer, String param, String what) {
        assertThat(answer.status()).as(what).isEqualTo(400);
        assertThat(answer.json().toString())
                .as(what)
                .isEqualTo(
                        "{\"error\":{\"message\":\"The encrypted content of a reasoning item could not be verified.\","
                                + "\"type\":\"invalid_request_error\",\"param\":\"" + param
                                + "\",\"code\":\"invalid_encrypted_content\"}}");
    }
}
