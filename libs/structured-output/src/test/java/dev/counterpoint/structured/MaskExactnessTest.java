package dev.counterpoint.structured;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.vocabulary.TokenBits;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Masks of broad terminals are put together from what is known of others. So each of the model's 201,088 tokens is
/// tried by itself: a token is in the mask exactly when the matcher takes it.
class MaskExactnessTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"properties":{"name":{},"names":{}},"required":["name"]} | {"name": 1, "nam
                    {"properties":{"a\\"b":{"type":"integer"}},"additionalProperties":{"type":"string"}} | {"a": "x", "
                    {"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":{"type":"null"}} | {"x": 1, "x
                    {"propertyNames":{"pattern":"^[a-z]+$"}} | {"ab
                    {"type":"string","pattern":"\\\\d+-?.*"} | "a1-
                    {"type":"string","pattern":"end$","maxLength":12} | "the e
                    {"type":"string","minLength":3} | "a
                    {"type":"string","not":{"enum":["yes","no","None"]}} | "no
                    {"type":"string","not":{"pattern":"foo"}} | "fo
                    {"type":["string","number"],"not":{"const":12}} | 1
                    """)
    void aTokenIsInTheMaskExactlyWhenItIsTaken(String schema, String text) {
        var grammar = JsonSchemaCompiler.compile(SchemaCase.parsed(schema), SchemaOptions.STRICT, RegexPool.shared())
                .grammar();
        var matcher = new Constraint(grammar, ModelTokens.index()).start();
        assertExact(matcher);
        for (int token : ModelTokens.encode(text)) {
            assertThat(matcher.accept(token)).isTrue();
            assertExact(matcher);
        }
    }

    private static void assertExact(Matcher matcher) {
        var mask = new TokenBits(ModelTokens.index().vocabulary().size());
        matcher.mask(mask);
        assertThat(IntStream.range(0, mask.size()).filter(token -> mask.contains(token) != takes(matcher, token)))
                .as("tokens about which the mask is wrong")
                .isEmpty();
    }

    private static boolean takes(Matcher matcher, int token) {
        boolean taken = matcher.accept(token);
        if (taken) {
            matcher.rollback(1);
        }
        return taken;
    }
}
