package dev.counterpoint.openai.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WholeCharactersTest {
    @Test
    void halfASurrogatePairBecomesAReplacementCharacter() {
        assertThat(parse("\"say \\ud83d hi\"")).isEqualTo("\"say \uFFFD hi\"");
        assertThat(parse("\"\\udc00\\ud800\"")).isEqualTo("\"\uFFFD\uFFFD\"");
        assertThat(parse("[{\"a\\ud83d\":[\"\\ud83d\\ude00\\ud83d\"]}]"))
                .isEqualTo("[{\"a\uFFFD\":[\"\ud83d\ude00\uFFFD\"]}]");
    }

    @Test
    void halfASurrogatePairInTheBytesBecomesAReplacementCharacter() {
        byte[] body = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0xBD, 'x', '"'};

        assertThat(WireJson.parse(body).textValue()).isEqualTo("\uFFFDx");
    }

    @Test
    void namesThatBecomeTheSameAreOneNameTwice() {
        assertThatThrownBy(() -> parse("{\"\\ud800\":1,\"\\ud801\":2}")).isInstanceOf(WireException.class);
    }

    private static String parse(String json) {
        return WireJson.parse(json.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
