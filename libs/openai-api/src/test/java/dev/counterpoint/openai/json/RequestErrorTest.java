package dev.counterpoint.openai.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.counterpoint.openai.chat.ChatRequest;
import dev.counterpoint.openai.responses.CreateResponse;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class RequestErrorTest {
    /// The tables write ' for ".
    @ParameterizedTest(name = "{1} {2} in {0}")
    @CsvFileSource(
            resources = "/refused/create-response.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1)
    void namesTheMemberOfAResponsesRequest(String body, String param, String code, String message) {
        var problem = refusal(body.replace('\'', '"'), CreateResponse.class);

        assertThat(problem).hasMessage(message);
        assertThat(problem.param()).isEqualTo(param);
        assertThat(problem.code()).isEqualTo(code);
    }

    @ParameterizedTest(name = "{1} {2} in {0}")
    @CsvFileSource(resources = "/refused/chat-request.csv", delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1)
    void namesTheMemberOfAChatRequest(String body, String param, String code, String message) {
        var problem = refusal(body.replace('\'', '"'), ChatRequest.class);

        assertThat(problem).hasMessage(message);
        assertThat(problem.param()).isEqualTo(param);
        assertThat(problem.code()).isEqualTo(code);
    }

    @Test
    void neverQuotesABodyThatIsNotJson() {
        var problem = refusal("{\"input\": \"my secret\", oops", CreateResponse.class);

        assertThat(problem.message())
                .startsWith("We could not parse the JSON body")
                .doesNotContain("secret", "oops");
        assertThat(problem.param()).isNull();
    }

    @Test
    void repeatsNoLongWordsOfTheCaller() {
        var long1000 = "x".repeat(1000);

        var value =
                refusal("{\"input\":[{\"role\":\"%s\",\"content\":\"\"}]}".formatted(long1000), CreateResponse.class);
        var key = refusal("{\"metadata\":{\"%s\":1}}".formatted(long1000), CreateResponse.class);

        assertThat(value.message()).hasSizeLessThan(250);
        assertThat(key.message()).hasSizeLessThan(250);
    }

    @Test
    void refusesAMemberNamedTwice() {
        assertThat(refusal("{\"model\":\"a\",\"model\":\"b\"}", CreateResponse.class))
                .hasMessageContaining("twice");
    }

    @Test
    void refusesASecondValueBehindTheFirst() {
        assertThat(refusal("{} {}", CreateResponse.class)).hasMessageContaining("more than one value");
    }

    @Test
    void refusesAnEmptyBody() {
        assertThat(refusal("", CreateResponse.class)).hasMessageContaining("no body");
    }

    @Test
    void refusesABodyNestedTooDeeply() {
        assertThat(refusal("[".repeat(5000), CreateResponse.class)).hasMessageContaining("too deeply");
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "/refused/create-response.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1)
    void saysNothingOfJavaOrJackson(String body) {
        var message = refusal(body.replace('\'', '"'), CreateResponse.class).message();

        assertThat(message.toLowerCase(Locale.ROOT))
                .doesNotContain("jackson", "java", "counterpoint", "deserial", "exception");
    }

    private static WireException refusal(String body, Class<?> type) {
        var problem = catchThrowableOfType(WireException.class, () -> WireJson.read(body.getBytes(UTF_8), type));
        assertThat(problem).as("refused").isNotNull();
        return problem;
    }
}
