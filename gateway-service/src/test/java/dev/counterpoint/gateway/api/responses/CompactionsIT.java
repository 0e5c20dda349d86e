package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.LeavingClient;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.contract.Contract;
import dev.counterpoint.testkit.contract.ContractValidator;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class CompactionsIT {
    private static final String PATH = "/v1/responses";
    private static final String LONG = "word ".repeat(1_200);
    private static final String TOO_LONG =
            ",\"context_management\":[{\"type\":\"compaction\",\"compact_threshold\":1000}]";
    private static final List<ModelOutput> SUMMARY = ModelScript.read("""
            [{"hidden":0},{"message":1,"channel":"final","text":"They summed.","closed":true},{"finish":"STOP"}]""");
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String HISTORY = """
            {"role":"developer","content":"Be brief."},{"role":"user","content":"1+1?"},
            {"type":"reasoning","summary":[{"type":"summary_text","text":"CANARY"}],
             "content":[{"type":"reasoning_text","text":"CANARY"}]},
            {"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
            {"type":"function_call_output","call_id":"c1","output":"2"},
            {"role":"assistant","content":"2"},{"role":"user","content":"2+2?"}""";
    private static final String TWO = "{\"role\":\"user\",\"content\":\"2+2?\"}";
    private static final PromptItem SUMMED = new PromptItem.User("Summary of the conversation so far:\n\nThey summed.");

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:raw");
    private final List<Submission> asked = new ArrayList<>();

    @Inject
    KeyRing keys;

    @Test
    void oneItemStandsForAConversationInLaterRequests() {
        // When
        says(SUMMARY);
        var compacted = caller.post(PATH + "/compact", request(HISTORY, ",\"instructions\":\"RULES\""))
                .json();

        // Then the model summed up what lies before the last question, and raw reasoning was no part of it
        assertValid("CompactResource", compacted);
        var made = asked.getFirst();
        assertThat(made.stored()).isFalse();
        assertThat(made.rawReasoning()).isFalse();
        assertThat(made.job().prompt().getLast())
                .isEqualTo(new PromptItem.User(
                        "User: 1+1?\nAssistant calls add: {}\nThe call returns: 2\nAssistant: 2\n"));
        assertThat(compacted.at("/usage/total_tokens").asInt()).isPositive();
        var item = compacted.at("/output/0");
        assertThat(opened(item)).doesNotContain("CANARY").contains("They summed.");

        // And it goes on from there
        says(FOUR);
        var answer = caller.post(PATH, request(item + ",{\"role\":\"user\",\"content\":\"3+3?\"}", ""));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        assertThat(asked.getLast().job().prompt())
                .containsExactly(
                        new PromptItem.Instructions("Be brief."),
                        SUMMED,
                        new PromptItem.User("2+2?"),
                        new PromptItem.User("3+3?"));
    }

    @Test
    void aCallThatTheNextRequestAnswersStaysWordForWord() {
        says(SUMMARY);
        var open = """
                {"role":"user","content":"1+1?"},{"role":"assistant","content":"2"},{"role":"user","content":"2+2?"},
                {"type":"function_call","call_id":"c1","name":"add","arguments":"{}"},
                {"type":"function_call_output","call_id":"c1","output":"4"}""";
        var item = caller.post(PATH + "/compact", request(open, "")).json().at("/output/0");

        says(FOUR);
        caller.post(PATH, request(item.toString(), ""));

        assertThat(asked.getLast().job().prompt())
                .containsExactly(
                        SUMMED,
                        new PromptItem.User("2+2?"),
                        new PromptItem.Call("c1", "add", "{}"),
                        new PromptItem.CallOutput("c1", "add", "4"));
    }

    @Test
    void aConversationThatGrewTooLongIsCompactedBeforeTheModelIsAskedHoweverItGoesOn() {
        // Given
        var conversation =
                caller.post("/v1/conversations", "{}").json().path("id").asText();
        says(FOUR);
        caller.post(PATH, request("{\"role\":\"user\",\"content\":\"" + LONG + "\"}", in(conversation)));

        // When
        says(SUMMARY);
        says(FOUR);
        var question = "{\"role\":\"user\",\"content\":\"2+2?\"}";
        var answer = caller.post(PATH, request(question, in(conversation) + TOO_LONG + ",\"stream\":true"));
        var response = lastResponse(answer);

        // Then the caller is told
        assertThat(response.at("/output/0/type").asText()).isEqualTo("compaction");
        assertThat(response.at("/output/1/content/0/text").asText()).isEqualTo("4");
        assertThat(asked.getLast().job().prompt()).containsExactly(SUMMED, new PromptItem.User("2+2?"));
        assertThat(caller.get(PATH + "/" + response.path("id").asText()).json()).isEqualTo(response);
        assertThat(lastResponse(caller.get(PATH + "/" + response.path("id").asText() + "?stream=true")))
                .isEqualTo(response);

        // And whichever way it goes on, the long part is gone
        var next = "{\"role\":\"user\",\"content\":\"and?\"}";
        var id = response.path("id").asText();
        var whole = "{\"role\":\"user\",\"content\":\"" + LONG + "\"}," + question;
        for (var output : response.path("output")) {
            whole += "," + output;
        }
        for (var request : List.of(
                request(next, in(conversation)),
                request(next, ",\"previous_response_id\":\"" + id + "\""),
                request(whole + "," + next, ""))) {
            says(FOUR);
            assertThat(caller.post(PATH, request).status()).isEqualTo(200);
            assertThat(asked.getLast().job().prompt())
                    .containsExactly(
                            SUMMED,
                            new PromptItem.User("2+2?"),
                            new PromptItem.Assistant("4", false),
                            new PromptItem.User("and?"));
        }
    }

    @Test
    void aShortConversationAndOneThatCannotBeCompactedGoOnAsTheyAre() {
        // Given
        says(FOUR);
        var response = caller.post(PATH, request(HISTORY, TOO_LONG)).json();
        assertThat(response.at("/output/0/type").asText()).isEqualTo("message");

        // When the summary fails
        says(ModelScript.read("[{\"finish\":\"FAILED\"}]"));
        says(FOUR);
        var history = "{\"role\":\"user\",\"content\":\"" + LONG + "\"},{\"role\":\"assistant\",\"content\":\"a\"},"
                + "{\"role\":\"user\",\"content\":\"b\"}";
        var failed = caller.post(PATH, request(history, TOO_LONG)).json();

        // Then
        assertThat(failed.at("/output/0/type").asText()).isEqualTo("message");
        assertThat(asked.getLast().job().prompt()).hasSize(3);
        says(ModelScript.read("[{\"finish\":\"FAILED\"}]"));
        assertThat(caller.post(PATH + "/compact", request(history, "")).status())
                .isEqualTo(500);
    }

    @Test
    void noSummaryGoesOnForAClientThatHasLeft() throws Exception {
        // Given
        says(List.of());
        var request = caller.request(PATH + "/compact")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(request(HISTORY, "")))
                .build();

        // When
        LeavingClient.send(request);

        // Then
        assertThat(FakeModels.last().generation().isAbandoned()).isTrue();
    }

    @Test
    void aCompactionOfAnotherTenantOrAnAlteredOneIsRefused() {
        // Given
        says(SUMMARY);
        var item = caller.post(PATH + "/compact", request(HISTORY, "")).json().at("/output/0");
        var blob = item.path("encrypted_content").asText();
        var middle = blob.length() / 2;
        var altered = blob.substring(0, middle) + (blob.charAt(middle) == 'A' ? 'B' : 'A') + blob.substring(middle + 1);

        // Then
        for (var answer : List.of(
                Api.newCaller("reasoning:raw").post(PATH, request(item.toString(), "")),
                caller.post(PATH, request(item.toString().replace(blob, altered), "")),
                caller.post(PATH, request(item.toString().replace(blob, "no base64!"), "")))) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().at("/error/param").asText()).isEqualTo("input[0].encrypted_content");
            assertThat(answer.json().at("/error/code").asText()).isEqualTo("invalid_encrypted_content");
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', nullValues = "-", textBlock = """
            'previous_response_id':'$RESPONSE','input':'And 3+3?' | cache_hit | -
            'input':'2+2?' | cache_hit | -
            'input':'3+3?' | cache_miss | input_changed
            'input':'2+2?','instructions':'Be brief.' | cache_miss | input_changed
            'input':'2+2?','reasoning':{'effort':'high'} | cache_miss | reasoning_effort_changed
            'input':'2+2?','text':{'verbosity':'low'} | cache_miss | verbosity_changed
            'input':'2+2?','response_schema':{'type':'json','schema':{}} | cache_miss | text_format_changed
            'input':'2+2?','tools':[{'type':'function','name':'f'}] | cache_miss | tools_changed
            'input':'2+2?','service_tier':'flex','prompt_cache_key':'k' | cache_hit | -
            """)
    void aPromptIsComparedWithThatOfTheResponseThatTheRequestNames(
            String members, String type, @Nullable String reason) {
        // Given
        says(FOUR);
        var earlier = caller.post(PATH, "{\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"}")
                .json();

        // When
        says(FOUR);
        var said = members.replace("$RESPONSE", earlier.path("id").asText()).replace('\'', '"');
        var response = caller.post(PATH, "{\"model\":\"gpt-oss-20b\",%s%s}".formatted(said, comparedWith(earlier)))
                .json();

        // Then
        var found = response.path("prompt_cache_diagnostics");
        assertThat(found.path("type").asText()).isEqualTo(type);
        assertThat(found.path("reason").textValue()).isEqualTo(reason);
        assertThat(found.path("cache_missed_tokens").asInt() > 0).isEqualTo(reason != null);
        assertThat(earlier.has("prompt_cache_diagnostics")).isFalse();
        assertThat(caller.get(PATH + "/" + response.path("id").asText()).json()).isEqualTo(response);
        assertValid("Response", response);
    }

    @Test
    void aPromptIsNotComparedWithOneOfOthersOrOfAnotherModelOrWithoutItsBeginning() {
        // Given
        says(FOUR);
        says(FOUR);
        var first = caller.post(PATH, request(TWO, "")).json();
        var id = first.path("id").asText();
        var second = caller.post(PATH, request(TWO, ",\"previous_response_id\":\"%s\"".formatted(id)))
                .json();
        caller.delete(PATH + "/" + id);

        // When
        says(FOUR);
        says(FOUR);
        says(FOUR);
        var request = request(TWO, comparedWith(second));
        var others = Api.newCaller("reasoning:summary").post(PATH, request).json();
        var cut = caller.post(PATH, request).json();
        var model = caller.post(PATH, request.replace("gpt-oss-20b", "gpt-oss-logprobs"))
                .json();

        // Then
        assertThat(others.at("/prompt_cache_diagnostics/type").asText()).isEqualTo("comparison_response_not_found");
        assertThat(cut.at("/prompt_cache_diagnostics/type").asText()).isEqualTo("unavailable");
        assertThat(model.at("/prompt_cache_diagnostics/reason").asText()).isEqualTo("model_changed");
    }

    @Test
    void aCompactedPromptIsComparedAsTheModelSawIt() {
        // Given
        var conversation =
                in(caller.post("/v1/conversations", "{}").json().path("id").asText());
        says(FOUR);
        var first = caller.post(PATH, request("{\"role\":\"user\",\"content\":\"" + LONG + "\"}", conversation))
                .json();

        // When
        says(SUMMARY);
        says(FOUR);
        says(FOUR);
        var compacted = caller.post(PATH, request(TWO, conversation + TOO_LONG + comparedWith(first)))
                .json();
        var next = caller.post(PATH, request(TWO, conversation + comparedWith(compacted)))
                .json();

        // Then
        assertThat(compacted.at("/prompt_cache_diagnostics/reason").asText()).isEqualTo("context_compacted");
        assertThat(next.at("/prompt_cache_diagnostics/type").asText()).isEqualTo("cache_hit");
    }

    private static String comparedWith(JsonNode response) {
        return ",\"prompt_cache_options\":{\"comparison_response_id\":\"%s\"}"
                .formatted(response.path("id").asText());
    }

    private void says(List<ModelOutput> script) {
        FakeModels.next(submission -> {
            asked.add(submission);
            return script;
        });
    }

    private static String request(String input, String members) {
        return "{\"model\":\"gpt-oss-20b\",\"input\":[" + input + "]" + members + "}";
    }

    private static String in(String conversation) {
        return ",\"conversation\":\"" + conversation + "\"";
    }

    private String opened(JsonNode item) {
        var blob = Base64.getUrlDecoder().decode(item.path("encrypted_content").asText());
        return new String(keys.open(blob, "compaction|" + tenant), StandardCharsets.UTF_8);
    }

    private static JsonNode lastResponse(Api.Answer stream) {
        var events = new String(stream.http().body(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("data: {"))
                .toList();
        return WireJson.parse(events.getLast().substring("data: ".length()).getBytes(StandardCharsets.UTF_8))
                .path("response");
    }

    private static void assertValid(String schema, JsonNode answer) {
        Contract.load()
                .ifPresent(contract -> assertThat(new ContractValidator(contract).violations(schema, answer))
                        .isEmpty());
    }
}
