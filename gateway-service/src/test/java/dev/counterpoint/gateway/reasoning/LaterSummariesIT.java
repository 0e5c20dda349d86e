package dev.counterpoint.gateway.reasoning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Summaries of reasoning that ended before anybody asked for one: `POST …/reasoning_summary`.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class LaterSummariesIT {
    private static final List<ModelOutput> TOLD_AGAIN = ModelScript.read("""
            [{"hidden":0},{"summary":"**Adding up** I add.","opens":true,"tier":"DESCRIBED"},
             {"summary":"**Checking** I check.","opens":true,"tier":"DESCRIBED"},{"summed":0},{"finish":"STOP"}]""");

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");
    private final String blob = Blobs.of(tenant).seal();

    /// The APIs whose responses have reasoning.
    enum Kind {
        RESPONSE("/v1/responses", "\"input\":\"Was ist 2+2?\",\"reasoning\":\"none\""),
        COMPLETION(
                "/v1/chat/completions",
                "\"messages\":[{\"role\":\"user\",\"content\":\"Was ist 2+2?\"}],"
                        + "\"store\":true,\"reasoning\":\"none\"");

        private final String path;
        private final String members;

        Kind(String path, String members) {
            this.path = path;
            this.members = members;
        }

        /// A response whose log has the sealed reasoning.
        String answered(Api caller, String blob) {
            FakeModels.next(ModelScript.read("""
                    [{"hidden":0},{"sealed":"%s"},{"message":1,"channel":"final","text":"4","closed":true},
                     {"finish":"STOP"}]""".formatted(blob)));
            return caller.post(path, "{\"model\":\"gpt-oss-20b\"," + members + "}")
                    .json()
                    .path("id")
                    .asText();
        }

        Api.Answer summary(Api caller, String id, String body) {
            return caller.post(path + "/" + id + "/reasoning_summary", body);
        }
    }

    @AfterEach
    void replaysWork() {
        FakeModels.replaysFail(null);
        FakeModels.clear();
    }

    @ParameterizedTest
    @EnumSource
    void aWorkerTellsTheReasoningInTheLogAgainAndItsSummaryIsTheAnswer(Kind kind) {
        // Given
        var id = kind.answered(caller, blob);
        var before = usage();
        FakeModels.next(TOLD_AGAIN);

        // When
        var answer = kind.summary(caller, id, "{\"summary\":\"detailed\"}");

        // Then
        assertThat(answer.json().toString())
                .isEqualTo("{\"object\":\"reasoning_summary\",\"id\":\"" + id + "\",\"summary\":["
                        + "{\"type\":\"summary_text\",\"text\":\"**Adding up** I add.\"},"
                        + "{\"type\":\"summary_text\",\"text\":\"**Checking** I check.\"}],"
                        + "\"reasoning_summary_tier\":\"described\"}");
        var asked = FakeModels.last().submission();
        assertThat(asked.job().prompt())
                .containsExactly(new PromptItem.User("Was ist 2+2?"), new PromptItem.Retold(blob));
        assertThat(asked.summary()).isEqualTo(SummaryJob.Detail.DETAILED);

        // And nobody but workers and summarizers can open what is told, nothing of it is kept, and nobody pays
        assertThat(asked.rawReasoning()).isFalse();
        assertThat(asked.audit()).isNull();
        assertThat(asked.stored()).isFalse();
        assertThat(asked.job().tools()).isEqualTo(List.<GenerationJob.FunctionTool>of());
        assertThat(usage()).isEqualTo(before);
    }

    private String usage() {
        var today = LocalDate.now(ZoneOffset.UTC);
        var days = "from=" + today.minusDays(1) + "&to=" + today.plusDays(1);
        var report = Api.admin().get("/admin/usage?tenant=" + tenant + "&" + days);
        assertThat(report.status()).isEqualTo(200);
        return new String(report.http().body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource
    void theCallersOwnEncryptedContentIsEnoughWhereNothingIsKept(Kind kind) {
        // Given
        var id = kind.answered(caller, blob);
        assertThat(caller.delete(kind.path + "/" + id).status()).isEqualTo(200);
        var body = "{\"encrypted_content\":[\"%s\"],\"model\":\"gpt-oss-20b\"}".formatted(blob);
        FakeModels.next(TOLD_AGAIN);

        // When
        var answer = kind.summary(caller, id, body);

        // Then
        assertThat(answer.json().path("summary")).hasSize(2);
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(new PromptItem.User(""), new PromptItem.Retold(blob));
        assertThat(kind.summary(caller, id, "{}").status()).isEqualTo(404);
        assertThat(kind.summary(caller, "no-id", body).status()).isEqualTo(404);
        assertThat(kind.summary(caller, id, body.replace(",\"model\":\"gpt-oss-20b\"", ""))
                        .json()
                        .at("/error/param")
                        .asText())
                .isEqualTo("model");
    }

    @ParameterizedTest
    @EnumSource
    void encryptedContentOfSomebodyElseIsRefusedAndNothingIsQueued(Kind kind) {
        // Given
        var id = kind.answered(caller, blob);
        var last = FakeModels.last();

        for (var foreign : List.of(
                Blobs.of("tenant_other").seal(),
                Blobs.of(tenant).ofProject("other").seal(),
                Blobs.of(tenant).ofModel("gpt-oss-120b").seal(),
                Blobs.of(tenant).expired().seal(),
                "no blob")) {
            // When
            var answer = kind.summary(caller, id, "{\"encrypted_content\":[\"%s\",\"%s\"]}".formatted(blob, foreign));

            // Then
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().at("/error/param").asText()).isEqualTo("encrypted_content[1]");
            assertThat(answer.json().at("/error/code").asText()).isEqualTo("invalid_encrypted_content");
        }
        assertThat(FakeModels.last()).isSameAs(last);
    }

    @ParameterizedTest
    @EnumSource
    void aResponseOfAnotherProjectIsAsAbsentAsOneThatNeverWas(Kind kind) {
        var id = kind.answered(caller, blob);

        assertThat(kind.summary(Api.ofProject(tenant, "other"), id, "{}").status())
                .isEqualTo(404);
        assertThat(kind.summary(Api.newCaller("reasoning:raw"), id, "{}").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyWithoutTheScopeIsToldWhichItLacks(Kind kind) {
        var id = kind.answered(caller, blob);

        var answer = kind.summary(Api.ofTenant(tenant), id, "{}");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo("missing_scope");
    }

    @ParameterizedTest
    @EnumSource
    void reasoningThatIsNotKeptIsUnavailable(Kind kind) {
        // Given
        var id = kind.answered(caller, blob);
        var last = FakeModels.last();
        FakeModels.replaysFail(new Replays.GoneException());

        // When
        var answer = kind.summary(caller, id, "{}").json();

        // Then
        assertUnavailable(answer.toString());
        assertThat(FakeModels.last()).isSameAs(last);

        // And so is what expired in the log
        FakeModels.replaysFail(null);
        var old = kind.answered(caller, Blobs.of(tenant).expired().seal());
        assertUnavailable(kind.summary(caller, old, "{}").json().toString());
    }

    private static void assertUnavailable(String answer) {
        assertThat(answer)
                .contains("\"summary\":[]", "\"reasoning_unavailable\":true", "reasoning_unavailable: ")
                .doesNotContain("reasoning_summary_tier");
    }

    @Test
    void aSummaryThatIsNotMadeInTimeIsUnavailableAndRawTextNeverTakesItsPlace() {
        // Given
        var id = Kind.RESPONSE.answered(caller, blob);
        FakeModels.next(ModelScript.read("""
                [{"hidden":0},{"message":0,"channel":"analysis","raw":true,"text":"CANARY","closed":true},
                 {"abandoned":true},{"finish":"STOP"}]"""));

        // When
        var answer = Kind.RESPONSE.summary(caller, id, "{}").json().toString();

        // Then
        assertUnavailable(answer);
        assertThat(answer).doesNotContain("CANARY");
    }

    @Test
    void aWorkerThatCannotTellItIsAnErrorWithoutContent() {
        var id = Kind.RESPONSE.answered(caller, blob);
        FakeModels.next(ModelScript.read("[{\"finish\":\"INVALID_REASONING\"}]"));

        var answer = Kind.RESPONSE.summary(caller, id, "{}");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo("invalid_encrypted_content");
    }

    @Test
    void aResponseThatRunsHasNoReasoningToSumUpYet() {
        // Given
        FakeModels.next(ModelScript.read("[{\"hidden\":0}]"));
        var id = caller.post("/v1/responses", "{\"model\":\"gpt-oss-20b\",\"input\":\"hi\",\"background\":true}")
                .json()
                .path("id")
                .asText();

        // When
        var answer = Kind.RESPONSE.summary(caller, id, "{}");

        // Then
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/error/code").asText()).isEqualTo("response_in_progress");
        caller.delete("/v1/responses/" + id);
    }
}
