package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// L1 (security review): the database takes no NUL, so what would be looked up or kept by one is refused before.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class NulCharactersIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final","text":"4","closed":true},{"finish":"STOP"}]""");

    private final Api caller = Api.newCaller("reasoning:summary");

    @ParameterizedTest(name = "L1 {0} is nobody''s path")
    @ValueSource(
            strings = {
                "/v1/conversations/conv_%00",
                "/v1/conversations/conv_%00/items",
                "/v1/conversations/%00/items/msg_%00",
                "/v1/responses/resp_%00",
                "/v1/responses/resp_%00/input_items",
                "/v1/chat/completions/chatcmpl-%00",
                "/v1/chat/completions/chatcmpl-%00/messages",
                "/v1/models/%00"
            })
    void aPathWithNulIsNotFound(String path) {
        var answer = caller.get(path);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo("unknown_url");
    }

    @ParameterizedTest(name = "L1 {0} is nobody''s path")
    @ValueSource(strings = {"/admin/tenants/%00", "/admin/tenants/%00/keys", "/admin/tenants/%00/keys/%00"})
    void anAdminPathWithNulIsNotFound(String path) {
        assertThat(Api.admin().get(path).status()).isEqualTo(404);
        assertThat(Api.admin().delete(path).status()).isEqualTo(404);
    }

    @ParameterizedTest(name = "L1 {0} names {1}")
    @CsvSource({
        "/v1/chat/completions?after=%00,after",
        "/v1/chat/completions?model=a%00,model",
        "/v1/conversations/conv_1/items?after=%00,after",
        "/v1/responses/resp_1/input_items?after=%00,after"
    })
    void aParameterWithNulIsNamed(String path, String param) {
        var answer = caller.get(path.replace("[", "%5B").replace("]", "%5D"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("error").path("param").asText()).isEqualTo(param);
    }

    @ParameterizedTest(name = "L1 {0} {1} names {2}")
    @CsvSource(delimiter = '|', textBlock = """
            /v1/responses        | "conversation":"conv_NUL"                    | conversation
            /v1/responses        | "conversation":{"id":"conv_NUL"}             | conversation.id
            /v1/responses        | "previous_response_id":"resp_NUL"            | previous_response_id
            /v1/responses        | "user":"NUL"                                 | user
            /v1/responses        | "safety_identifier":"NUL"                    | safety_identifier
            /v1/responses        | "prompt":{"id":"NUL"}                        | prompt.id
            /v1/responses        | "input":[{"type":"item_reference","id":"NUL"}] | input[0].id
            /v1/chat/completions | "user":"NUL"                                 | user
            """)
    void aMemberWithNulIsNamed(String path, String member, String param) {
        var with = member.replace("NUL", "\\u0000");
        var rest = path.endsWith("completions")
                ? "\"messages\":[{\"role\":\"user\",\"content\":\"2+2?\"}],"
                : member.contains("\"input\"") || path.endsWith("conversations") ? "" : "\"input\":\"2+2?\",";
        var model = member.contains("\"model\"") || path.endsWith("conversations")
                ? ""
                : "\"model\":\"" + FakeModels.MODEL + "\",";

        FakeModels.next(FOUR); // for the request that is taken, which none should be
        var answer = caller.post(path, "{" + model + rest + with + "}");
        FakeModels.clear();

        assertThat(answer.status()).as(answer.json().toString()).isEqualTo(400);
        assertThat(answer.json().path("error").path("param").asText()).isEqualTo(param);
    }

    @ParameterizedTest(name = "L1 {0} stands for a text")
    @ValueSource(strings = {"/v1/responses", "/v1/chat/completions"})
    void aTextMayHoldNul(String path) {
        FakeModels.next(FOUR);
        var said = path.endsWith("responses")
                ? "\"input\":\"2\\u0000+2?\""
                : "\"messages\":[{\"role\":\"user\",\"content\":\"2\\u0000+2?\"}],\"store\":true";

        assertThat(caller.post(path, "{\"model\":\"" + FakeModels.MODEL + "\"," + said + "}")
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest(name = "L1 an admin {0}")
    @ValueSource(strings = {"{\"name\":\"a\\u0000\"}", "{\"name\":\"\\u0000\"}"})
    void anAdminNameWithNulIsRefused(String body) {
        assertThat(Api.admin().post("/admin/tenants", body).status()).isEqualTo(400);
    }
}
