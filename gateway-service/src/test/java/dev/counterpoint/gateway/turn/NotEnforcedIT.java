package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What a caller gets when an engine broke the strict form of an answer: never a 200 that looks whole.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class NotEnforcedIT {
    private static final String NAME = "strict_output_not_enforced";
    private static final String SCHEMA = """
            {"type":"object","properties":{"days":{"type":"integer"}},"required":["days"],\
            "additionalProperties":false}""";

    private final Api caller = Api.ofTenant(Api.newTenant(""), "reasoning:summary");

    @Test
    void aChatIsAnErrorOfThatName() {
        var answer = chat(false);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo(NAME);
        assertThat(answer.json().path("error").path("type").asText()).isEqualTo("server_error");
    }

    @Test
    void aStreamedChatEndsInAnErrorOfThatName() {
        var answer = chat(true);

        assertThat(text(answer))
                .contains("\"error\"", NAME)
                .doesNotContain("\"finish_reason\":\"stop\"")
                .doesNotContain("\"finish_reason\":\"length\"");
    }

    @Test
    void aResponseIsAnErrorOfThatName() {
        var answer = response(false);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo(NAME);
    }

    @Test
    void aStreamedResponseIsFailedAndSaysSo() {
        assertThat(text(response(true))).contains("response.failed", NAME).doesNotContain("response.completed");
    }

    private Api.Answer chat(boolean stream) {
        breaks();
        return caller.post("/v1/chat/completions", """
                {"model":"gpt-oss-20b","stream":%s,"messages":[{"role":"user","content":"How long?"}],
                 "response_format":{"type":"json_schema","json_schema":{"name":"trip","strict":true,"schema":%s}}}
                """.formatted(stream, SCHEMA));
    }

    private Api.Answer response(boolean stream) {
        breaks();
        return caller.post("/v1/responses", """
                {"model":"gpt-oss-20b","stream":%s,"input":"How long?",
                 "text":{"format":{"type":"json_schema","name":"trip","strict":true,"schema":%s}}}
                """.formatted(stream, SCHEMA));
    }

    private static String text(Api.Answer answer) {
        return new String(answer.http().body(), StandardCharsets.UTF_8);
    }

    private static void breaks() {
        FakeModels.next(ModelScript.read("""
                [{"message":0,"channel":"final","text":"{\\"days\\": "},{"finish":"NOT_ENFORCED"}]"""));
    }
}
