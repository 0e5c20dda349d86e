package dev.counterpoint.gateway.tenancy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.Blobs;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// M5: what belongs to another project of the same tenant is as absent as what never was, in the same words.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ProjectIsolationIT {
    private static final String MODEL = "\"model\":\"gpt-oss-20b\"";
    private static final String QUESTION = "\"model\":\"gpt-oss-20b\",\"input\":\"2+2?\"";
    private static final String CHAT = """
            {"model":"gpt-oss-20b","store":true,"messages":[{"role":"user","content":"2+2?"}],"metadata":{"a":"b"}}""";
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String CALL = """
            [{"message":0,"channel":"analysis","closed":true},{"sealed":"%s"},
             {"message":1,"channel":"commentary","to":"functions.add","text":"{}","closed":true},{"finish":"STOP"}]""";

    private final String tenant = Api.newTenant("");
    private final Api owner = Api.ofProject(tenant, "search");
    private final Api colleague = Api.ofProject(tenant, "search");
    private final Api other = Api.ofProject(tenant, "billing");

    @BeforeEach
    void nothingIsToBeSaid() {
        FakeModels.clear();
    }

    /// Ids of one project, each of a kind that paths and bodies name.
    private record Ids(String response, String running, String item, String input, String conversation, String said) {
        String in(String template) {
            return template.replace("{response}", response)
                    .replace("{running}", running)
                    .replace("{item}", item)
                    .replace("{input}", input)
                    .replace("{conversation}", conversation)
                    .replace("{said}", said);
        }
    }

    @ParameterizedTest(name = "M5 {0} {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET    | /v1/responses/{response}                          |
            GET    | /v1/responses/{response}?stream=true              |
            GET    | /v1/responses/{running}                           |
            GET    | /v1/responses/{running}?stream=true               |
            GET    | /v1/responses/{response}/input_items              |
            POST   | /v1/responses/{running}/cancel                    |
            DELETE | /v1/responses/{response}                          |
            DELETE | /v1/responses/{running}                           |
            POST   | /v1/responses                | `{%s,"previous_response_id":"{response}"}`
            POST   | /v1/responses                | `{%s,"conversation":"{conversation}"}`
            POST   | /v1/responses                | `{%m,"input":[{"type":"item_reference","id":"{item}"}]}`
            POST   | /v1/responses                | `{%m,"input":[{"type":"item_reference","id":"{input}"}]}`
            POST   | /v1/responses                | `{%m,"input":[{"type":"item_reference","id":"{said}"}]}`
            POST   | /v1/responses/input_tokens   | `{%s,"previous_response_id":"{response}"}`
            POST   | /v1/responses/compact        | `{%m,"previous_response_id":"{response}"}`
            GET    | /v1/conversations/{conversation}                  |
            POST   | /v1/conversations/{conversation}                  | `{"metadata":{"a":"b"}}`
            DELETE | /v1/conversations/{conversation}                  |
            GET    | /v1/conversations/{conversation}/items            |
            POST   | /v1/conversations/{conversation}/items            | `{"items":[{"role":"user","content":"x"}]}`
            GET    | /v1/conversations/{conversation}/items/{said}     |
            DELETE | /v1/conversations/{conversation}/items/{said}     |
            """)
    void whatAnotherProjectHasIsNotThere(String method, String path, @Nullable String body) {
        // Given
        var theirs = made();
        var unknown = unknown(theirs);
        // When
        var answer = ask(other, method, theirs.in(path), theirs.in(filled(body)));
        var absent = ask(other, method, unknown.in(path), unknown.in(filled(body)));
        // Then
        assertThat(answer.status()).as(text(answer)).isIn(400, 404).isEqualTo(absent.status());
        assertThat(withoutIds(text(answer), theirs)).isEqualTo(withoutIds(text(absent), unknown));
        // And nothing of it has changed, and every key of the owner's project gets it
        for (var kept : List.of(
                "/v1/responses/{response}",
                "/v1/responses/{running}",
                "/v1/responses/{response}/input_items",
                "/v1/conversations/{conversation}/items/{said}")) {
            assertThat(colleague.get(theirs.in(kept)).status()).as(kept).isEqualTo(200);
        }
        assertThat(owner.get(theirs.in("/v1/responses/{running}"))
                        .json()
                        .path("status")
                        .asText())
                .isEqualTo("in_progress");
        assertThat(owner.get(theirs.in("/v1/conversations/{conversation}/items"))
                        .json()
                        .path("data")
                        .size())
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "M5 {0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            GET    | /v1/chat/completions/{id}          |
            GET    | /v1/chat/completions/{id}/messages |
            GET    | /v1/chat/completions?after={id}    |
            POST   | /v1/chat/completions/{id}          | `{"metadata":{"c":"d"}}`
            DELETE | /v1/chat/completions/{id}          |
            """)
    void completionsOfAnotherProjectAreNotThere(String method, String path, @Nullable String body) {
        // Given
        FakeModels.next(FOUR);
        var id = owner.post("/v1/chat/completions", CHAT).json().path("id").asText();
        var unknown = changed(id);
        // When
        var answer = ask(other, method, path.replace("{id}", id), filled(body));
        var absent = ask(other, method, path.replace("{id}", unknown), filled(body));
        // Then
        assertThat(answer.status()).as(text(answer)).isIn(400, 404).isEqualTo(absent.status());
        assertThat(text(answer).replace(id, "ID")).isEqualTo(text(absent).replace(unknown, "ID"));
        assertThat(colleague
                        .get("/v1/chat/completions/" + id)
                        .json()
                        .path("metadata")
                        .path("a")
                        .asText())
                .isEqualTo("b");
    }

    @Test
    @DisplayName("M5 the list of completions is a project's")
    void theListOfCompletionsIsAProjects() {
        FakeModels.next(FOUR);
        owner.post("/v1/chat/completions", CHAT);

        assertThat(other.get("/v1/chat/completions").json().path("data")).isEmpty();
        assertThat(colleague.get("/v1/chat/completions").json().path("data")).hasSize(1);
    }

    @Test
    @DisplayName("M5 sealed reasoning that is kept for a tool call is a project's")
    void whatIsKeptForAToolCallIsAProjects() {
        // Given
        var blob = Blobs.of(tenant).ofProject("search").seal();
        FakeModels.next(ModelScript.read(CALL.formatted(blob)));
        var tools = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"add\"}}]";
        var call = owner.post("/v1/chat/completions", """
                {"model":"gpt-oss-20b","messages":[{"role":"user","content":"2+2?"}],%s}""".formatted(tools))
                .json()
                .at("/choices/0/message/tool_calls/0/id")
                .asText();
        var answered = """
                {"model":"gpt-oss-20b",%s,"messages":[{"role":"user","content":"2+2?"},
                 {"role":"assistant","tool_calls":[{"id":"%s","type":"function",
                  "function":{"name":"add","arguments":"{}"}}]},
                 {"role":"tool","tool_call_id":"%s","content":"4"}]}""".formatted(tools, call, call);
        // When
        FakeModels.next(FOUR);
        other.post("/v1/chat/completions", answered);
        // Then: neither read nor forgotten
        assertThat(prompt()).doesNotContain(blob);
        FakeModels.next(FOUR);
        colleague.post("/v1/chat/completions", answered);
        assertThat(prompt()).contains(blob);
    }

    @Test
    @DisplayName("M5 an idempotency key is a project's")
    void anIdempotencyKeyIsAProjects() {
        // Given
        FakeModels.next(FOUR);
        assertThat(once(owner).status()).isEqualTo(200);
        // When
        FakeModels.next(FOUR);
        var answer = once(other);
        // Then
        assertThat(answer.status()).as(text(answer)).isEqualTo(200);
        assertThat(answer.header("idempotent-replayed")).isEmpty();
    }

    @Test
    @DisplayName("M5 a compaction of another project does not open")
    void aCompactionOfAnotherProjectDoesNotOpen() {
        // Given
        FakeModels.next(FOUR);
        var compacted =
                owner.post("/v1/responses/compact", "{" + QUESTION + "}").json();
        var request = "{\"model\":\"gpt-oss-20b\",\"input\":%s}".formatted(compacted.path("output"));
        // When
        var answer = other.post("/v1/responses", request);
        FakeModels.next(FOUR);
        var own = colleague.post("/v1/responses", request);
        // Then
        assertThat(answer.json().at("/error/code").asText()).isEqualTo("invalid_encrypted_content");
        assertThat(own.status()).as(text(own)).isEqualTo(200);
    }

    @Test
    @DisplayName("M5 keys without a project share one")
    void keysWithoutAProjectShareOne() {
        FakeModels.next(FOUR);
        var id = Api.ofTenant(tenant, "reasoning:summary")
                .post("/v1/responses", "{" + QUESTION + "}")
                .json()
                .path("id")
                .asText();

        assertThat(Api.ofTenant(tenant).get("/v1/responses/" + id).status()).isEqualTo(200);
        assertThat(Api.ofProject(tenant, "default").get("/v1/responses/" + id).status())
                .isEqualTo(200);
        assertThat(owner.get("/v1/responses/" + id).status()).isEqualTo(404);
    }

    private Ids made() {
        FakeModels.next(FOUR);
        var ended = owner.post("/v1/responses", "{" + QUESTION + "}").json();
        var response = ended.path("id").asText();
        var item = ended.at("/output/0/id").asText();
        var input = owner.get("/v1/responses/" + response + "/input_items")
                .json()
                .at("/data/0/id")
                .asText();
        FakeModels.next(List.of());
        var running = owner.post("/v1/responses", "{" + QUESTION + ",\"background\":true}")
                .json()
                .path("id")
                .asText();
        var conversation = owner.post("/v1/conversations", "{\"items\":[{\"role\":\"user\",\"content\":\"hello\"}]}")
                .json()
                .path("id")
                .asText();
        var said = owner.get("/v1/conversations/" + conversation + "/items")
                .json()
                .at("/data/0/id")
                .asText();
        return new Ids(response, running, item, input, conversation, said);
    }

    /// Ids of the same form that nobody has.
    private static Ids unknown(Ids of) {
        return new Ids(
                changed(of.response),
                changed(of.running),
                of.item.replace(body(of.response), body(changed(of.response))),
                of.input.replace(body(of.response), body(changed(of.response))),
                changed(of.conversation),
                changed(of.said));
    }

    private static String body(String id) {
        return id.substring(id.indexOf('_') + 1);
    }

    /// Another last digit.
    private static String changed(String id) {
        return id.substring(0, id.length() - 1) + (id.endsWith("1") ? "2" : "1");
    }

    private static String withoutIds(String text, Ids ids) {
        return text.replace(ids.response, "ID")
                .replace(ids.running, "ID")
                .replace(ids.item, "ID")
                .replace(ids.input, "ID")
                .replace(ids.conversation, "ID")
                .replace(ids.said, "ID");
    }

    private static String filled(@Nullable String body) {
        return body == null ? "" : body.replace("%s", QUESTION).replace("%m", MODEL);
    }

    private static Api.Answer ask(Api caller, String method, String path, String body) {
        return caller.method(method, path, body);
    }

    private static String prompt() {
        return new String(FakeModels.last().submission().job().encode(), ISO_8859_1);
    }

    private static Api.Answer once(Api caller) {
        return caller.send(caller.request("/v1/responses")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "the-same")
                .POST(BodyPublishers.ofString("{" + QUESTION + "}")));
    }

    private static String text(Api.Answer answer) {
        return new String(answer.http().body(), UTF_8);
    }
}
