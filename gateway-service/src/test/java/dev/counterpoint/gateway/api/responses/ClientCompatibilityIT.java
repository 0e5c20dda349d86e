package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.gateway.turn.TurnIds;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// D4 to D10 (review of clients): what a client that was written for OpenAI sends is taken or refused as OpenAI
/// does.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ClientCompatibilityIT {
    private static final String RESPONSES = "/v1/responses";
    private static final String CONVERSATIONS = "/v1/conversations/";
    private static final String CHAT = "/v1/chat/completions";
    private static final String MODEL = "\"model\":\"" + FakeModels.MODEL + "\"";
    private static final String IGNORED = "x-counterpoint-ignored";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final String tenant = Api.newTenant("");
    private final Api caller = Api.ofTenant(tenant, "reasoning:summary");

    @AfterEach
    void forget() {
        FakeModels.clear();
    }

    @ParameterizedTest(name = "D4 {0}")
    @ValueSource(
            strings = {
                "{'type':'web_search_call','id':'ws_1','status':'completed','action':{'type':'search','query':'x'}}",
                "{'type':'file_search_call','id':'fs_1','status':'completed','queries':['x'],'results':null}",
                "{'type':'code_interpreter_call','id':'ci_1','status':'completed','code':'1','container_id':'c'}",
                "{'type':'image_generation_call','id':'ig_1','status':'completed','result':null}",
                "{'type':'mcp_list_tools','id':'mcpl_1','server_label':'s','tools':[]}",
                "{'type':'mcp_call','id':'mcp_1','server_label':'s','name':'n','arguments':'{}','output':'o'}",
                "{'type':'mcp_approval_request','id':'mcpr_1','server_label':'s','name':'n','arguments':'{}'}",
                "{'type':'mcp_approval_response','approval_request_id':'mcpr_1','approve':true}",
                "{'type':'local_shell_call','id':'l_1','call_id':'c','status':'completed',"
                        + "'action':{'type':'exec','command':['ls'],'env':{}}}",
                "{'type':'local_shell_call_output','id':'lo_1','output':'x'}",
                "{'type':'computer_call','id':'cu_1','call_id':'c','status':'completed','pending_safety_checks':[],"
                        + "'action':{'type':'wait'}}",
                "{'type':'computer_call_output','call_id':'c','output':{'type':'computer_screenshot','image_url':'d'}}",
                "{'type':'shell_call_output','call_id':'c','output':[]}",
                "{'type':'compaction_trigger'}"
            })
    void d4AnItemOfAHostedToolIsLeftOutAndNamed(String item) {
        // Given
        FakeModels.next(FOUR);

        // When
        var answer = caller.post(RESPONSES, """
                {%s,"input":[{"role":"user","content":"1+1?"},%s,{"role":"user","content":"2+2?"}]}\
                """.formatted(MODEL, item.replace('\'', '"')));

        // Then
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        assertThat(answer.header(IGNORED)).contains("input[1]");
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(new PromptItem.User("1+1?"), new PromptItem.User("2+2?"));
        var items = caller.get(RESPONSES + "/" + answer.json().path("id").asText() + "/input_items?order=asc")
                .json();
        assertThat(items.path("data").size()).isEqualTo(3);
    }

    @Test
    void d4WhatIsUsedIsNotNamed() {
        FakeModels.next(FOUR);

        var answer = caller.post(RESPONSES, """
                {%s,"input":[{"type":"custom_tool_call","call_id":"c","name":"n","input":"x"},
                {"type":"custom_tool_call_output","call_id":"c","output":"y"}],
                "tools":[{"type":"custom","name":"n"}]}""".formatted(MODEL));

        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        assertThat(answer.header(IGNORED)).isEmpty();
    }

    @ParameterizedTest(name = "D5 {0}")
    @ValueSource(strings = {"", "?include=reasoning.encrypted_content", "?include%5B%5D=reasoning.encrypted_content"})
    void d5SealedReasoningIsShownToWhomIncludesIt(String include) {
        // Given
        var blob = Blobs.of(tenant).seal();
        var members = include.isEmpty() ? "" : ",\"include\":[\"reasoning.encrypted_content\"]";
        var call = ModelScript.read(
                "[{\"hidden\":0},{\"sealed\":\"%s\"},{\"message\":1,\"channel\":\"commentary\",".formatted(blob)
                        + "\"to\":\"functions.add\",\"text\":\"{}\",\"closed\":true},{\"finish\":\"STOP\"}]");
        var body =
                "{%s,\"input\":\"x\",\"tools\":[{\"type\":\"function\",\"name\":\"add\"}]%s".formatted(MODEL, members);
        FakeModels.next(call);
        FakeModels.next(call);

        // When
        var answer = caller.post(RESPONSES, body + "}").json();
        var stream = new String(
                caller.post(RESPONSES, body + ",\"stream\":true}").http().body(), StandardCharsets.UTF_8);
        var stored = caller.get(RESPONSES + "/" + answer.path("id").asText() + include)
                .json();

        // Then
        boolean shown = !include.isEmpty();
        assertThat(answer.toString().contains(blob)).isEqualTo(shown);
        assertThat(stream.contains(blob)).isEqualTo(shown);
        assertThat(stored.toString().contains(blob)).isEqualTo(shown);
        assertThat(stored.at("/output/0/type").asText()).isEqualTo("reasoning");
    }

    @ParameterizedTest(name = "D5 items {0}")
    @ValueSource(strings = {"", "?include=reasoning.encrypted_content"})
    void d5ItemsShowSealedReasoningToWhomIncludesIt(String include) {
        // Given
        var blob = Blobs.of(tenant).seal();
        var thought = "{\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"%s\"}".formatted(blob);
        var call = "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"add\",\"arguments\":\"{}\"}";
        var conversation = CONVERSATIONS
                + caller.post(CONVERSATIONS, "{}").json().path("id").asText()
                + "/items";

        // When
        var added = caller.post(conversation + include, "{\"items\":[" + thought + "," + call + "]}");
        var listed = caller.get(conversation + include).json();
        var one = caller.get(conversation + "/" + added.json().at("/data/0/id").asText() + include)
                .json();

        // Then
        boolean shown = !include.isEmpty();
        assertThat(added.status()).as(added.json().toString()).isEqualTo(200);
        for (var answer : List.of(added.json(), listed, one)) {
            assertThat(answer.toString().contains(blob)).as("%s", answer).isEqualTo(shown);
            assertThat(answer.toString()).contains("\"reasoning\"");
        }
    }

    @Test
    void d5ReasoningThatComesBackAsItWasShownIsReadByItsId() {
        // Given
        var blob = Blobs.of(tenant).seal();
        FakeModels.next(ModelScript.read(
                "[{\"hidden\":0},{\"sealed\":\"%s\"},{\"message\":1,\"channel\":\"commentary\",".formatted(blob)
                        + "\"to\":\"functions.add\",\"text\":\"{}\",\"closed\":true},{\"finish\":\"STOP\"}]"));
        var tools = ",\"tools\":[{\"type\":\"function\",\"name\":\"add\"}]";
        var output = caller.post(RESPONSES, "{%s,\"input\":\"x\"%s}".formatted(MODEL, tools))
                .json()
                .path("output");

        // When
        FakeModels.next(FOUR);
        var answer = caller.post(RESPONSES, """
                {%s,"input":[{"role":"user","content":"x"},%s,%s,{"type":"function_call_output","call_id":"%s",
                 "output":"4"}]%s}""".formatted(
                        MODEL,
                        output.get(0),
                        output.get(1),
                        output.get(1).path("call_id").asText(),
                        tools));

        // Then
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        assertThat(FakeModels.last().submission().job().prompt()).contains(new PromptItem.Sealed(blob));
    }

    /// The rows of responses follow an outage of the database, and some callers store none.
    @ParameterizedTest(name = "D5 {0}")
    @ValueSource(strings = {"\"id\":\"%s\",", ""})
    void d5WhoCarriesATurnOnWithReasoningThatIsNotKeptIsToldThatItIsLost(String id) {
        // Given a turn whose row is not there
        var reasoning = "{\"type\":\"reasoning\",%s\"summary\":[]}"
                .formatted(id.formatted(new TurnIds(ResponseId.create(1_000, 1)).reasoning(0)));
        var call = "{\"type\":\"function_call\",\"call_id\":\"call_1\",\"name\":\"add\",\"arguments\":\"{}\"}";
        var result = "{\"type\":\"function_call_output\",\"call_id\":\"call_1\",\"output\":\"4\"}";
        var question = "{\"role\":\"user\",\"content\":\"x\"}";
        var said = "{\"role\":\"assistant\",\"content\":\"4\"}";

        // When
        FakeModels.next(FOUR);
        var open = input(question, reasoning, call, result);
        FakeModels.next(FOUR);
        var answered = input(question, reasoning, call, result, said, question);
        FakeModels.next(FOUR);
        var withoutCalls = input(question, reasoning);

        // Then
        assertThat(open.at("/warnings/0").asText()).startsWith("reasoning_lost: ");
        assertThat(answered.path("warnings").isMissingNode()).isTrue();
        assertThat(withoutCalls.path("warnings").isMissingNode()).isTrue();
    }

    @Test
    void d5WhoCarriesAnAnsweredTurnOnAgainIsToldThatItsReasoningIsLost() {
        // Given
        var blob = Blobs.of(tenant).seal();
        FakeModels.next(ModelScript.read(
                "[{\"hidden\":0},{\"sealed\":\"%s\"},{\"message\":1,\"channel\":\"commentary\",".formatted(blob)
                        + "\"to\":\"functions.add\",\"text\":\"{}\",\"closed\":true},{\"finish\":\"STOP\"}]"));
        var first = caller.post(
                        RESPONSES,
                        "{%s,\"input\":\"x\",\"tools\":[{\"type\":\"function\",\"name\":\"add\"}]}".formatted(MODEL))
                .json();
        var call = first.at("/output/1");
        var result = "{\"type\":\"function_call_output\",\"call_id\":\"%s\",\"output\":\"4\"}"
                .formatted(call.path("call_id").asText());
        FakeModels.next(FOUR);
        caller.post(
                RESPONSES,
                "{%s,\"previous_response_id\":\"%s\",\"input\":[%s]}"
                        .formatted(MODEL, first.path("id").asText(), result));

        // When
        FakeModels.next(FOUR);
        var again = input(
                "{\"role\":\"user\",\"content\":\"x\"}", first.at("/output/0").toString(), call.toString(), result);

        // Then
        assertThat(again.at("/warnings/0").asText()).startsWith("reasoning_lost: ");
    }

    private JsonNode input(String... items) {
        var answer = caller.post(RESPONSES, "{%s,\"input\":[%s]}".formatted(MODEL, String.join(",", items)));
        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void d6AResponseWhoseAncestorWasDeletedGoesOnFromItsOwnItems() {
        // Given
        var first = ask("\"input\":\"1\"");
        var second = ask("\"input\":\"2\",\"previous_response_id\":\"" + first + "\"");
        caller.delete(RESPONSES + "/" + first);

        // When
        FakeModels.next(FOUR);
        var answer =
                caller.post(RESPONSES, "{%s,\"input\":\"3\",\"previous_response_id\":\"%s\"}".formatted(MODEL, second));

        // Then
        assertThat(answer.status()).isEqualTo(200);
        assertThat(FakeModels.last().submission().job().prompt())
                .containsExactly(
                        new PromptItem.User("2"), new PromptItem.Assistant("4", false), new PromptItem.User("3"));
        assertThat(answer.json().at("/warnings/0").asText())
                .startsWith("conversation_cut: ")
                .contains(first);
        assertThat(caller.get(RESPONSES + "/" + first).status()).isEqualTo(404);
    }

    @ParameterizedTest(name = "D9 {0}")
    @CsvSource(delimiter = '|', textBlock = """
            /v1/responses        | "input":[{"role":"user","content":[PARTS]}]    | input_text
            /v1/chat/completions | "messages":[{"role":"user","content":[PARTS]}] | text
            """)
    void d9PartsOfATextFollowEachOther(String path, String member, String type) {
        FakeModels.next(FOUR);
        var said = member.replace("PARTS", """
                {"type":"%1$s","text":"he"},{"type":"%1$s","text":"llo"}""".formatted(type));

        assertThat(caller.post(path, "{" + MODEL + "," + said + "}").status()).isEqualTo(200);

        assertThat(FakeModels.last().submission().job().prompt()).containsExactly(new PromptItem.User("hello"));
    }

    @ParameterizedTest(name = "D10 {1}")
    @CsvSource(delimiter = '|', textBlock = """
            /v1/responses        | "input":"x","max_output_tokens":15 | max_output_tokens | integer_below_min_value
            /v1/responses        | "input":"x","safety_identifier":"LONG" | safety_identifier | string_above_max_length
            /v1/chat/completions | CHAT,"safety_identifier":"LONG" | safety_identifier | string_above_max_length
            /v1/responses        | "input":"x","text":{"format":{"type":"json_object"}} | text.format | -
            """, nullValues = "-")
    void d10WhatOpenAiRefusesIsRefused(String path, String member, String param, String code) {
        var answer = caller.post(
                path,
                "{" + MODEL + ","
                        + member.replace("LONG", "x".repeat(65))
                                .replace("CHAT,", "\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],")
                        + "}");

        assertThat(answer.status()).isEqualTo(400);
        var error = answer.json().path("error");
        assertThat(error.path("param").asText()).isEqualTo(param);
        assertThat(error.path("code").isNull() ? null : error.path("code").asText())
                .isEqualTo(code);
    }

    @ParameterizedTest(name = "D10 {0}")
    @ValueSource(strings = {"text/html", "image/png", "application/xml, text/*;q=0.5"})
    void d10WhatAnAcceptHeaderWantsIsNotAsked(String accept) {
        FakeModels.next(FOUR);

        var answer = caller.send(caller.request(RESPONSES)
                .header("Content-Type", "application/json")
                .header("Accept", accept)
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{" + MODEL + ",\"input\":\"2+2?\"}")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).startsWith("application/json");
    }

    @ParameterizedTest(name = "D10 {0}")
    @ValueSource(strings = {"/v1/responses/resp_1", "/v1/chat/completions/chatcmpl-1", "/v1/conversations/conv_1"})
    void d10WhatIsMissingHasACode(String path) {
        var answer = caller.get(path);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("not_found");
    }

    @Test
    void d10AChatNamesItsServiceTierAndAModelItsTime() {
        FakeModels.next(FOUR);

        var chat = caller.post(CHAT, "{" + MODEL + ",\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
        var models = caller.get("/v1/models").json();

        assertThat(chat.json().path("service_tier").asText()).isEqualTo("default");
        assertThat(models.at("/data/0/created").asLong()).isPositive();
    }

    @ParameterizedTest(name = "reasoning_summary_tier without effect, {0}")
    @CsvSource(delimiter = '|', textBlock = """
            /v1/responses        | "input":"x"
            /v1/chat/completions | "messages":[{"role":"user","content":"x"}]
            """)
    void aTierThatTheTenantMayNotHaveIsTold(String path, String said) {
        FakeModels.next(FOUR);
        FakeModels.next(FOUR);

        var body = "{" + MODEL + "," + said + ",\"reasoning_summary_tier\":\"%s\"}";
        var more = caller.post(path, body.formatted("written"));
        var less = caller.post(path, body.formatted("described"));
        var wrong = caller.post(path, body.formatted("raw"));

        assertThat(more.header(IGNORED)).isEqualTo("reasoning_summary_tier");
        assertThat(less.header(IGNORED)).isEmpty();
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.json().at("/error/param").asText()).isEqualTo("reasoning_summary_tier");
    }

    @ParameterizedTest(name = "reasoning_encrypt without effect, {0}")
    @CsvSource(delimiter = '|', textBlock = """
            /v1/responses        | "input":"x"                                    | /warnings/0
            /v1/chat/completions | "messages":[{"role":"user","content":"x"}]     | /choices/0/message/warnings/0
            """)
    void anOptInWithoutEffectIsTold(String path, String said, String warning) {
        // Given
        var body = "{" + MODEL + "," + said + ",\"reasoning_encrypt\":true}";
        FakeModels.next(FOUR);
        FakeModels.next(FOUR);

        // When
        var without = caller.post(path, body);
        var with = Api.newAuditedCaller().post(path, body);

        // Then
        assertThat(without.header(IGNORED)).isEqualTo("reasoning_encrypt");
        assertThat(without.json().at(warning).asText()).startsWith("reasoning_encrypt: ");
        assertThat(without.json().toString()).doesNotContain("reasoning_unavailable");
        assertThat(with.header(IGNORED)).isEmpty();
        assertThat(with.json().at(warning).isMissingNode()).isTrue();
    }

    private String ask(String members) {
        FakeModels.next(FOUR);
        return caller.post(RESPONSES, "{" + MODEL + "," + members + "}")
                .json()
                .path("id")
                .asText();
    }
}
