package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/// Every mistake of a caller gets an answer in the API's shape that names the field and the rule.
@ExtendWith(SharedSuite.class)
class BadInputIT {
    private static ApiClient caller;

    @BeforeAll
    static void connect() {
        caller = SharedSuite.suite().client(RunningSuite.SUMMARY_KEY);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvFileSource(resources = "/bad-requests.csv", delimiter = '|', quoteCharacter = '~')
    void namesTheFieldThatIsWrong(String path, String body, int status, String param) {
        var answer = caller.post("/v1/" + path, body.replace("\"M\"", "\"" + RunningSuite.MODEL + "\""));

        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.error().path("param").asText()).startsWith(param);
        assertThat(answer.error().fieldNames()).toIterable().contains("message", "type", "param", "code");
        assertThat(answer.http().headers().firstValue("x-request-id")).isPresent();
    }

    @Test
    void saysThatAModelIsNotThere() {
        var body = "{\"model\":\"no-such-model\",\"input\":\"hi\"}";
        var answer = caller.post("/v1/responses", body);
        // A gateway that has just come does not know yet what there is.
        for (int again = 0; answer.status() == 503 && again < 300; again++) {
            LockSupport.parkNanos(100_000_000);
            answer = caller.post("/v1/responses", body);
        }

        assertThat(answer.error().path("code").asText()).isEqualTo("model_not_found");
    }

    @Test
    void saysThatAPromptIsLongerThanTheContext() {
        var prompt = "word ".repeat(140_000);

        var answer = caller.post(
                "/v1/responses", "{\"model\":\"%s\",\"input\":\"%s\"}".formatted(RunningSuite.MODEL, prompt));
        var streamed = caller.post(
                "/v1/responses",
                "{\"model\":\"%s\",\"input\":\"%s\",\"stream\":true}".formatted(RunningSuite.MODEL, prompt));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error().path("code").asText()).isEqualTo("context_length_exceeded");
        assertThat(streamed.status()).isEqualTo(400);
        assertThat(streamed.error().path("code").asText()).isEqualTo("context_length_exceeded");
    }
}
