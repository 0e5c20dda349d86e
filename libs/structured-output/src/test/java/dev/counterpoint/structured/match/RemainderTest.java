package dev.counterpoint.structured.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemainderTest {
    private static final LexemeIndex BYTES = new LexemeIndex(bytes());

    private static TokenVocabulary bytes() {
        var texts = new byte[256][];
        for (int value = 0; value < 256; value++) {
            texts[value] = new byte[] {(byte) value};
        }
        return new TokenVocabulary(texts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"type":"array","items":{"type":"integer"}}                         | [1, -20,300]
            {"type":"string","maxLength":3}                                     | "aé€"
            {"type":"object","properties":{"a":{"$ref":"#"},"b":{"enum":["x","xy"]}}} | {"a": {"b":"xy"}, "b":"x"}
            {"type":"object","additionalProperties":{"type":["null","number"]}} | {"ab":1.5e3, "c" :null}
            {"type":"string","pattern":"^(ab?)*c$"}                            | "abaac"
            {"type":"array","items":{"type":"array","maxItems":2},"minItems":2} | [[], [[1],{}]]
            """)
    void takesWhatTheMatcherWouldTakeAfterEachByte(String schema, String text) throws Exception {
        var grammar = JsonSchemaCompiler.compile(
                        new ObjectMapper().readTree(schema), SchemaOptions.STRICT, RegexPool.shared())
                .grammar();
        var matcher = new Constraint(grammar, BYTES).start();
        var bytes = text.trim().getBytes(StandardCharsets.UTF_8);

        for (int cut = 0; cut <= bytes.length; cut++) {
            var rest = new Constraint(matcher.rest(), BYTES).start();
            var ahead = matcher.copy();
            for (int at = cut; at <= bytes.length; at++) {
                assertThat(mask(rest)).as("cut at %d, byte %d", cut, at).isEqualTo(mask(ahead));
                assertThat(rest.accepting()).isEqualTo(ahead.accepting());
                if (at < bytes.length) {
                    assertThat(rest.accept(bytes[at] & 0xff)).isTrue();
                    assertThat(ahead.accept(bytes[at] & 0xff)).isTrue();
                }
            }
            if (cut < bytes.length) {
                matcher.accept(bytes[cut] & 0xff);
            }
        }
        assertThat(matcher.accepting()).isTrue();
    }

    private static long[] mask(Matcher matcher) {
        var bits = new TokenBits(256);
        matcher.mask(bits);
        return bits.words().clone();
    }
}
