package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// C1: what a caller gets whose request took its worker with it, though nothing else ran there.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class CrashedWorkerIT {
    private static final String NAME = "job_crashed_worker";

    private final Api caller = Api.ofTenant(Api.newTenant(""), "reasoning:summary");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "/v1/responses|\"input\":\"Hello\"",
                "/v1/chat/completions|\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]"
            })
    void c1TheCallerGetsAnErrorOfThatName(String path, String members) {
        // When
        var answer = ask(path, members, false);
        var streamed = ask(path, members, true);
        // Then
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().path("error").path("code").asText()).isEqualTo(NAME);
        assertThat(answer.json().path("error").path("type").asText()).isEqualTo("server_error");
        assertThat(new String(streamed.http().body(), StandardCharsets.UTF_8))
                .contains(NAME)
                .doesNotContain("response.completed")
                .doesNotContain("\"finish_reason\":\"stop\"");
    }

    private Api.Answer ask(String path, String members, boolean stream) {
        FakeModels.next(ModelScript.read("[{\"stop\":\"CRASHED_WORKER\"}]"));
        return caller.post(path, "{\"model\":\"gpt-oss-20b\",\"stream\":%s,%s}".formatted(stream, members));
    }
}
