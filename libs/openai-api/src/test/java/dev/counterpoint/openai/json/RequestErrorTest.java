package dev.counterpoint.openai.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.counterpoint.openai.responses.CreateResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class RequestErrorTest {
    @ParameterizedTest(name = "{1} {2} in {0}")
    @CsvFileSource(
            resources = "/refused/create-response.csv",
            delimiter = '|',
            quoteCharacter = '`',
            maxCharsPerColumn = 500,
            numLinesToSkip = 1)
    void namesTheMemberAndTheRule(String body, String param, String code, String message) {
        var problem = refusal(body.replace('\'', '"'));

        assertThat(problem.message()).isEqualTo(message);
        assertThat(problem.param()).isEqualTo(param);
        assertThat(problem.code()).isEqualTo(code);
    }

    @Test
    void neverQuotesABodyThatIsNotJson() {
        var problem = refusal("{\"input\": \"my secret\", oops");

        assertThat(problem.message())
                .startsWith("We could not parse the JSON body")
                .doesNotContain("secret", "oops");
        assertThat(problem.param()).isNull();
    }

    @Test
    void refusesAMemberNamedTwice() {
        assertThat(refusal("{\"model\":\"a\",\"model\":\"b\"}").message()).contains("twice");
    }

    @Test
    void refusesAnEmptyBody() {
        assertThat(refusal("").message()).contains("no body");
    }

    private static WireException refusal(String body) {
        var problem = catchThrowableOfType(
                WireException.class, () -> WireJson.read(body.getBytes(UTF_8), CreateResponse.class));
        assertThat(problem).as("refused").isNotNull();
        return problem;
    }
}
