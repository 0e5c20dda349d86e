package dev.counterpoint.gateway.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.audit.AccessEntry;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.ValidatorOptions;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ChatIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String QUESTION =
            "\"model\":\"gpt-oss-20b\",\"messages\":[{\"role\":\"user\",\"content\":\"2+2?\"}]";
    private static final String PATH = "/v1/chat/completions";

    private final Api caller = Api.newCaller("reasoning:summary");
    private final Api trusted = Api.newCaller("reasoning:raw");

    @Test
    void anAnswerComesWholeOrInChunks() {
        // When
        FakeModels.next(FOUR);
        var whole = caller.post(PATH, "{" + QUESTION + "}").json();
        FakeModels.next(FOUR);
        var chunks = new String(
                caller.post(PATH, "{%s,\"stream\":true}".formatted(QUESTION))
                        .http()
                        .body(),
                StandardCharsets.UTF_8);

        // Then
        assertThat(whole.at("/choices/0/message/content").asText()).isEqualTo("4");
        assertThat(whole.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        assertThat(chunks).contains("\"content\":\"4\"").endsWith("data: [DONE]\n\n");
        assertThat(FakeModels.last().submission().stored()).isFalse();
    }

    @Test
    void metadataOfACompletionThatIsNotStoredIsIgnoredByName() {
        // When
        FakeModels.next(FOUR);
        var passing = caller.post(PATH, "{%s,\"metadata\":{\"chat_id\":\"1\"}}".formatted(QUESTION));
        FakeModels.next(FOUR);
        var stored = caller.post(PATH, "{%s,\"metadata\":{\"chat_id\":\"1\"},\"store\":true}".formatted(QUESTION));

        // Then
        assertThat(passing.status()).isEqualTo(200);
        assertThat(passing.header("x-counterpoint-ignored")).isEqualTo("metadata");
        assertThat(passing.json().has("metadata")).isFalse();
        assertThat(stored.header("x-counterpoint-ignored")).isEmpty();
        assertThat(stored.json().at("/metadata/chat_id").asText()).isEqualTo("1");
    }

    @Test
    void aModelIsAskedByItsAliasAndAnswersUnderItsName() {
        // When
        FakeModels.next(FOUR);
        var chat = caller.post(PATH, "{" + QUESTION.replace("gpt-oss-20b", "gpt-6.2-sol") + ",\"stream\":true}");
        FakeModels.next(FOUR);
        var response = caller.post("/v1/responses", "{\"model\":\"house\",\"input\":\"2+2?\"}");

        // Then
        assertThat(new String(chat.http().body(), StandardCharsets.UTF_8))
                .contains("\"model\":\"gpt-oss-20b\"")
                .doesNotContain("gpt-6.2-sol");
        assertThat(response.json().path("model").asText()).isEqualTo("gpt-oss-20b");
        assertThat(FakeModels.last().submission().model()).isEqualTo("gpt-oss-20b");
        assertThat(caller.post("/v1/responses", "{\"model\":\"lost\",\"input\":\"2+2?\"}")
                        .status())
                .isEqualTo(404);
        assertThat(caller.get("/v1/models").json().path("data").findValuesAsText("id"))
                .contains("house")
                .doesNotContain("gpt-6*", "lost");
        assertThat(caller.get("/v1/models/house").json().path("id").asText()).isEqualTo("house");
        assertThat(caller.get("/v1/models/gpt-6.2-sol").status()).isEqualTo(200);
    }

    @Test
    void aPageOfAnotherOriginMayCallWhereASettingSaysSo() {
        // When
        var preflight = caller.send(caller.request(PATH)
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .header("Origin", "https://page.example")
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", "authorization,content-type,x-stainless-os"));
        var refused = caller.send(caller.request("/v1/models/none").header("Origin", "https://page.example"));

        // Then
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.header("access-control-allow-origin")).isIn("*", "https://page.example");
        assertThat(preflight.header("access-control-allow-methods")).contains("POST");
        assertThat(preflight.header("access-control-allow-headers")).contains("authorization", "x-stainless-os");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.header("access-control-allow-origin")).isIn("*", "https://page.example");
        assertThat(refused.header("access-control-expose-headers")).contains("x-request-id", "x-counterpoint-ignored");
    }

    @Test
    void theTierThatServesIsNamedAndDecidesHowSoonAWorkerTakesIt() {
        // When
        FakeModels.next(FOUR);
        var silent = caller.post(PATH, "{" + QUESTION + "}").json();
        var normal = FakeModels.last().submission().band();
        FakeModels.next(FOUR);
        var urgent = caller.post(PATH, "{%s,\"service_tier\":\"priority\"}".formatted(QUESTION))
                .json();

        // Then
        assertThat(silent.path("service_tier").asText()).isEqualTo("default");
        assertThat(normal).isEqualTo(Topic.Band.NORMAL);
        assertThat(urgent.path("service_tier").asText()).isEqualTo("priority");
        assertThat(FakeModels.last().submission().band()).isEqualTo(Topic.Band.HIGH);
    }

    @Test
    void aSchemaThatFitsNothingIsRefusedAndAReferenceThatLeadsNowhereIsNamed() {
        // Given
        var format = ",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"n\",\"schema\":%s}}}";
        FakeModels.next(FOUR);

        // When
        var refused = caller.post(PATH, "{" + QUESTION + format.formatted("{\"type\":\"integer\",\"enum\":[\"60\"]}"));
        var answered = caller.post(PATH, "{" + QUESTION + format.formatted("{\"$ref\":\"#/gone\"}"));

        // Then
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/error/message").asText()).endsWith("The schema fits no value.");
        assertThat(answered.status()).isEqualTo(200);
        assertThat(answered.json().findValue("warnings").path(0).asText())
                .startsWith("schema_reference_unresolved: ")
                .endsWith("#/gone");
    }

    @Test
    void rawReasoningNeedsTheScope() {
        // Given
        var script = ModelScript.read("""
                [{"message":0,"channel":"analysis","raw":true,"text":"THOUGHT","closed":true},
                 {"message":1,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");
        FakeModels.next(script);

        // Then
        assertThat(trusted.post(PATH, "{" + QUESTION + "}")
                        .json()
                        .at("/choices/0/message/reasoning")
                        .asText())
                .isEqualTo("THOUGHT");
        var refused = caller.post(PATH, "{%s,\"reasoning\":\"full\"}".formatted(QUESTION));
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().at("/error/message").asText()).contains("reasoning:raw");
    }

    @Test
    void whoGetsRawReasoningIsOnTheAccessLogFirst() {
        // When
        FakeModels.next(FOUR);
        caller.post(PATH, "{" + QUESTION + "}");
        int before = FakeModels.accesses().size();
        FakeModels.next(FOUR);
        trusted.post(PATH, "{" + QUESTION + "}");

        // Then
        assertThat(FakeModels.accesses()).hasSize(before + 1).last().satisfies(entry -> {
            var asked = FakeModels.last();
            assertThat(entry.response()).isEqualTo(asked.generation().id().toString());
            assertThat(entry.actor()).isEqualTo(asked.submission().key());
            assertThat(entry.tenant()).isEqualTo(asked.submission().tenant());
            assertThat(entry.action()).isEqualTo(AccessEntry.Action.RAW_REASONING_SHOWN);
        });
    }

    @Test
    void withoutTheAccessLogNobodyGetsRawReasoningAndOthersAreServed() {
        // Given
        var before = FakeModels.last();
        FakeModels.accessLogAnswers(false);
        try {
            // When
            var refused = trusted.post(PATH, "{" + QUESTION + "}");

            // Then
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isNotEmpty();
            assertThat(FakeModels.last()).isEqualTo(before);
            FakeModels.next(FOUR);
            assertThat(caller.post(PATH, "{" + QUESTION + "}").status()).isEqualTo(200);
        } finally {
            FakeModels.accessLogAnswers(true);
        }
    }

    @Test
    void whileTheAuditServiceIsBehindRequestsThatAreOptedInWait() {
        // Given
        var audited = Api.newAuditedCaller();
        FakeModels.auditLags(Duration.ofHours(1));
        try {
            // When
            var refused = audited.post(PATH, "{%s,\"reasoning_encrypt\":true,\"user\":\"u1\"}".formatted(QUESTION));

            // Then
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isNotEmpty();
            FakeModels.next(FOUR);
            assertThat(audited.post(PATH, "{" + QUESTION + "}").status()).isEqualTo(200);
            assertThat(FakeModels.last().submission().audit()).isNull();
        } finally {
            FakeModels.auditLags(Duration.ZERO);
        }
        FakeModels.next(FOUR);
        audited.post(PATH, "{%s,\"reasoning_encrypt\":true,\"user\":\"u1\"}".formatted(QUESTION));
        var terms = Objects.requireNonNull(FakeModels.last().submission().audit());
        assertThat(terms.subject()).isEqualTo("u1");
        assertThat(terms.optIn()).startsWith("optin_");
    }

    @Test
    void theReasoningOfAToolTurnComesBackThoughTheClientDropsIt() {
        // Given
        FakeModels.next(FOUR);
        caller.post(PATH, "{" + QUESTION + "}");
        var blob = Blobs.of(FakeModels.last().submission().tenant()).seal();
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"sealed":"%s"},
                 {"message":1,"channel":"commentary","to":"functions.add","text":"{}","closed":true},
                 {"finish":"STOP"}]""".formatted(blob)));
        var tools = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"add\"}}]";
        var message =
                caller.post(PATH, "{%s,%s}".formatted(QUESTION, tools)).json().at("/choices/0/message");
        assertThat(message.has("reasoning_details")).isFalse();
        var call = message.at("/tool_calls/0/id").asText();

        // When
        FakeModels.next(FOUR);
        caller.post(PATH, """
                {"model":"gpt-oss-20b",%s,"messages":[{"role":"user","content":"2+2?"},%s,
                 {"role":"tool","tool_call_id":"%s","content":"4"}]}""".formatted(tools, message, call));

        // Then
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.User("2+2?"),
                        new PromptItem.Sealed(blob),
                        new PromptItem.Call(call, "add", "{}"),
                        new PromptItem.CallOutput(call, "add", "4"));
    }

    @Test
    void aFailureIsAnErrorBeforeTheFirstChunkAndInPlaceOfOneAfterIt() {
        // Given
        FakeModels.next(ModelScript.read("[{\"finish\":\"FAILED\"}]"));
        FakeModels.next(
                ModelScript.read("[{\"message\":0,\"channel\":\"final\",\"text\":\"4\"},{\"finish\":\"FAILED\"}]"));

        // When
        var early = caller.post(PATH, "{%s,\"stream\":true}".formatted(QUESTION));
        var late = caller.post(PATH, "{%s,\"stream\":true}".formatted(QUESTION));

        // Then
        assertThat(early.status()).isEqualTo(500);
        assertThat(late.status()).isEqualTo(200);
        assertThat(new String(late.http().body(), StandardCharsets.UTF_8))
                .contains("data: {\"error\":{\"message\":")
                .endsWith("data: [DONE]\n\n");
    }

    @Test
    void severalAnswersAreOneCompletionWithOneUsage() {
        // Given
        for (int i = 0; i < 4; i++) {
            FakeModels.next(FOUR);
        }

        // When
        var whole =
                caller.post(PATH, "{%s,\"n\":2,\"seed\":7}".formatted(QUESTION)).json();
        var seed = FakeModels.last().submission().job().sampling().seed();
        var events = caller.post(
                        PATH,
                        "{%s,\"n\":2,\"stream\":true,\"stream_options\":{\"include_usage\":true}}".formatted(QUESTION))
                .http()
                .body();

        // Then
        assertThat(seed).isEqualTo(8);
        assertThat(whole.at("/choices/0/index").asInt()).isZero();
        assertThat(whole.at("/choices/1/index").asInt()).isEqualTo(1);
        assertThat(whole.at("/choices/1/message/content").asText()).isEqualTo("4");
        assertThat(whole.at("/usage/prompt_tokens").asInt()).isEqualTo(ModelScript.INPUT_TOKENS);
        assertThat(whole.at("/usage/completion_tokens").asInt()).isEqualTo(2 * ModelScript.OUTPUT_TOKENS);
        assertThat(StreamValidator.validate(events, ValidatorOptions.DEFAULT)).isEmpty();
        assertThat(new String(events, StandardCharsets.UTF_8))
                .contains("\"index\":1,\"delta\":{\"content\":\"4\"}", "\"obfuscation\":\"")
                .containsOnlyOnce("\"completion_tokens\":" + 2 * ModelScript.OUTPUT_TOKENS);
    }

    @Test
    void theModelsAreThoseThatAreServed() {
        assertThat(caller.get("/v1/models").json().at("/data/0/id").asText()).isEqualTo("gpt-oss-20b");
        assertThat(caller.get("/v1/models/gpt-oss-20b").json().path("object").asText())
                .isEqualTo("model");
        assertThat(caller.get("/v1/models/openai/gpt-0").status()).isEqualTo(404);
        assertThat(caller.get("/v1/models/gpt-oss-away").status()).isEqualTo(503);
    }
}
