package dev.counterpoint.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.TestSuperuser;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the gateway keeps of sealed reasoning is gone once its turn has been answered, and after an hour at the
/// latest.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class AnsweredTurnsIT {
    private static final String TOOLS = "\"include\":[\"reasoning.encrypted_content\"],\"model\":\"gpt-oss-20b\","
            + "\"tools\":[{\"type\":\"function\",\"name\":\"add\"}]";
    private static final String CHAT_TOOLS =
            "\"model\":\"gpt-oss-20b\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"add\"}}]";

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");
    private final String blob = Blobs.of(tenant).seal();

    private final TestSuperuser database = new TestSuperuser();

    @Inject
    StoredResponses responses;

    @Test
    void anAnswerTakesTheSealedReasoningOutOfEveryResponseOfItsTurn() {
        // Given two calls, the first with reasoning that the client brought
        says("call");
        var first = caller.post("/v1/responses", """
                {%s,"input":[{"role":"user","content":"1+1+1?"},
                 {"type":"reasoning","summary":[],"encrypted_content":"%s"}]}""".formatted(TOOLS, blob)).json();
        says("call");
        var second = goOn(first, true).json();
        assertThat(kept(first)).contains(blob);
        assertThat(kept(second)).contains(blob);

        // When
        says("answer");
        var last = goOn(second, true).json();

        // Then the client has it and the gateway has not
        assertThat(last.at("/output/0/encrypted_content").asText()).isEqualTo(blob);
        for (var response : List.of(first, second, last)) {
            assertThat(kept(response)).doesNotContain(blob).doesNotContain("encrypted_content");
            var read = caller.get("/v1/responses/" + response.path("id").asText());
            assertThat(read.json().toString()).doesNotContain("encrypted_content");
            assertThat(read.json().at("/output/0/type").asText()).isEqualTo("reasoning");
        }
    }

    @Test
    void anAnswersOwnSealedReasoningIsNeverWritten() {
        // Given a database that refuses it
        var path = "/v1/responses";
        update("alter table response add constraint not_sealed check (tenant_id <> '" + tenant
                + "' or response not like '%encrypted_content%')");

        // When
        says("answer");
        var answer =
                caller.post(path, "{%s,\"input\":\"1+1?\"}".formatted(TOOLS)).json();
        update("alter table response drop constraint not_sealed");

        // Then
        assertThat(answer.at("/output/0/encrypted_content").asText()).isEqualTo(blob);
        assertThat(caller.get(path + "/" + answer.path("id").asText())
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("completed");
        assertThat(kept(answer)).contains("rs_").doesNotContain("encrypted_content");
    }

    @Test
    void anAnswerThatIsNotStoredEndsTheTurnToo() {
        // Given
        says("call");
        var first = caller.post("/v1/responses", "{%s,\"input\":\"1+1?\"}".formatted(TOOLS))
                .json();

        // When
        says("answer");
        goOn(first, false);

        // Then
        assertThat(kept(first)).doesNotContain(blob);
    }

    @ParameterizedTest
    @ValueSource(strings = {"FAILED", "PROMPT_TOO_LONG"})
    void aTurnThatFailedMayStillBeAnsweredAndKeepsItsReasoning(String finish) {
        // Given
        says("call");
        var first = caller.post("/v1/responses", "{%s,\"input\":\"1+1?\"}".formatted(TOOLS))
                .json();

        // When
        FakeModels.next(ModelScript.read("[{\"finish\":\"" + finish + "\"}]"));
        goOn(first, true);

        // Then
        assertThat(kept(first)).contains(blob);
    }

    @Test
    void theTurnsOfOthersKeepTheirReasoning() {
        // Given
        says("call");
        var mine = caller.post("/v1/responses", "{%s,\"input\":\"1+1?\"}".formatted(TOOLS))
                .json();

        // When
        responses.forgetSealed(List.of(mine.path("id").asText()), "tenant_other");

        // Then
        assertThat(kept(mine)).contains(blob);
    }

    @Test
    void afterAnHourNobodyReadsItAndTheHousekeepingTakesItAway() {
        // Given
        says("call");
        var first = caller.post("/v1/responses", "{%s,\"input\":\"1+1?\"}".formatted(TOOLS))
                .json();
        var path = "/v1/responses/" + first.path("id").asText() + "?include=reasoning.encrypted_content";
        var young = caller.get(path).json();
        assertThat(sealedUntil(first))
                .isBetween(
                        Instant.now().plus(Duration.ofMinutes(55)),
                        Instant.now().plus(Duration.ofHours(1)));

        // When
        update("update response set sealed_until = now() where id = '"
                + first.path("id").asText() + "'");
        var old = caller.get(path).json();
        responses.oldSealed().run();

        // Then
        assertThat(young.at("/output/0/encrypted_content").asText()).isEqualTo(blob);
        assertThat(old.at("/output/0/encrypted_content").isMissingNode()).isTrue();
        assertThat(old.at("/output/1")).isEqualTo(young.at("/output/1"));
        assertThat(kept(first)).doesNotContain(blob);
        assertThat(caller.get(path).json()).isEqualTo(old);
    }

    @Test
    void theHousekeepingTakesItAwayHoweverManyRowsThereAre() {
        // Given
        update("""
                insert into response (id, tenant_id, key_id, created_at, status, model, background, stored, response,
                    expires_at, sealed_until)
                select 'resp_many_' || n, 'tenant_many', 'key', now(), 'completed', 'm', false, true,
                    '{"output":[{"type":"reasoning","encrypted_content":"x"}]}', now() + interval '1 day', now()
                from generate_series(1, 250) n""");

        // When
        responses.oldSealed().run();

        // Then
        var left = "select count(*) from response where tenant_id = 'tenant_many'"
                + " and (sealed_until is not null or response like '%encrypted_content%')";
        assertThat(database.createNativeQuery(left, Long.class).getSingleResult())
                .isZero();
    }

    @Test
    void anAnsweredChatTurnLeavesNothingBehind() {
        // Given a turn with two calls, and one that stays open
        var open = chatCall("{\"role\":\"user\",\"content\":\"another\"}");
        var first = chatCall("{\"role\":\"user\",\"content\":\"1+1+1?\"}");
        var history = "{\"role\":\"user\",\"content\":\"1+1+1?\"}," + result(first);
        var second = chatCall(history);
        assertThat(turnReasoning(open)).isOne();
        assertThat(turnReasoning(first)).isOne();
        assertThat(turnReasoning(second)).isOne();

        // When
        says("answer");
        var answer = chat(history + "," + result(second));

        // Then
        assertThat(answer.at("/choices/0/message/content").asText()).isEqualTo("4");
        assertThat(turnReasoning(first)).isZero();
        assertThat(turnReasoning(second)).isZero();
        assertThat(turnReasoning(open)).isOne();
    }

    @Test
    void whoGoesOnAgainFromAnAnsweredTurnIsToldThatItsAnalysisIsGone() {
        // Given
        says("call");
        var first = caller.post("/v1/responses", "{%s,\"input\":\"1+1?\"}".formatted(TOOLS))
                .json();
        says("answer");
        var answered = goOn(first, true).json();

        // When
        says("answer");
        var again = goOn(first, true).json();

        // Then
        assertThat(answered.path("warnings").isMissingNode()).isTrue();
        assertThat(again.at("/warnings/0").asText()).startsWith("reasoning_lost: ");
    }

    @Test
    void aChatThatGoesOnAgainFromAnAnsweredTurnIsToldToo() {
        // Given
        var question = "{\"role\":\"user\",\"content\":\"1+1?\"}";
        var history = question + "," + result(chatCall(question));
        says("answer");
        var answered = chat(history);

        // When
        says("answer");
        var again = chat(history);

        // Then
        assertThat(answered.at("/choices/0/message/warnings").isMissingNode()).isTrue();
        assertThat(again.at("/choices/0/message/warnings/0").asText()).startsWith("reasoning_lost: ");
    }

    @Test
    void aClientHearsOfItsCallWhenWhatWasThoughtBeforeItIsKept() {
        // Given a database that refuses it twice
        update("create sequence refusals");
        update("create function refuse() returns trigger language plpgsql security definer as 'begin"
                + " if nextval(''refusals'') <= 2 then raise exception ''not now''; end if; return new; end'");
        update("create trigger refuse before insert on turn_reasoning for each row when (new.tenant_id = '" + tenant
                + "') execute function refuse()");

        // When
        var call = chatCall("{\"role\":\"user\",\"content\":\"1+1?\"}");

        // Then
        assertThat(turnReasoning(call)).isOne();
        update("drop trigger refuse on turn_reasoning");
        update("drop function refuse");
        update("drop sequence refusals");
    }

    private void says(String what) {
        var ending = what.equals("call")
                ? "{\"message\":1,\"channel\":\"commentary\",\"to\":\"functions.add\",\"text\":\"{}\",\"closed\":true}"
                : "{\"message\":1,\"channel\":\"final\",\"text\":\"4\",\"closed\":true}";
        FakeModels.next(ModelScript.read(
                "[{\"hidden\":0},{\"sealed\":\"%s\"},%s,{\"finish\":\"STOP\"}]".formatted(blob, ending)));
    }

    private Api.Answer goOn(JsonNode previous, boolean stored) {
        return caller.post("/v1/responses", """
                {%s,"previous_response_id":"%s","store":%s,"input":[{"type":"function_call_output","call_id":"%s",
                 "output":"2"}]}""".formatted(
                        TOOLS,
                        previous.path("id").asText(),
                        stored,
                        previous.at("/output/1/call_id").asText()));
    }

    private JsonNode chat(String messages) {
        return caller.post("/v1/chat/completions", "{%s,\"messages\":[%s]}".formatted(CHAT_TOOLS, messages))
                .json();
    }

    /// @return the message with the call
    private JsonNode chatCall(String messages) {
        says("call");
        return chat(messages).at("/choices/0/message");
    }

    private static String result(JsonNode message) {
        return "%s,{\"role\":\"tool\",\"tool_call_id\":\"%s\",\"content\":\"2\"}"
                .formatted(message, message.at("/tool_calls/0/id").asText());
    }

    private long turnReasoning(JsonNode message) {
        return database.createNativeQuery(
                        "select count(*) from turn_reasoning where tool_call_id = :call and encrypted_content <> ''",
                        Long.class)
                .setParameter("call", message.at("/tool_calls/0/id").asText())
                .getSingleResult();
    }

    /// All that the row of a response holds.
    private String kept(JsonNode response) {
        return database.createNativeQuery(
                        "select concat(input_items, response) from response where id = :id", String.class)
                .setParameter("id", response.path("id").asText())
                .getSingleResult();
    }

    private Instant sealedUntil(JsonNode response) {
        return database.createNativeQuery("select sealed_until from response where id = :id", Instant.class)
                .setParameter("id", response.path("id").asText())
                .getSingleResult();
    }

    private void update(String statement) {
        QuarkusTransaction.requiringNew()
                .run(() -> database.createNativeMutationQuery(statement).executeUpdate());
    }
}
