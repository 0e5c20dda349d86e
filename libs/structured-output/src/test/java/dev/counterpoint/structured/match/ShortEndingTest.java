package dev.counterpoint.structured.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.ValueForm;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortEndingTest {
    private static final LexemeIndex BYTES = new LexemeIndex(bytes());
    private static final SchemaOptions LOOSE =
            SchemaOptions.STRICT.withForm(ValueForm.ANY).withLeniency();

    private static TokenVocabulary bytes() {
        var texts = new byte[256][];
        for (int value = 0; value < 256; value++) {
            texts[value] = new byte[] {(byte) value};
        }
        return new TokenVocabulary(texts);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\0', textBlock = """
            {"type":"integer"}                                                     |              | 0
            {"enum":["winter","autumn"]}                                           | "a           | utumn"
            {"type":"string","minLength":3}                                        |              | "aaa"
            {"type":"array","items":{"type":"integer"},"minItems":2}               | [1           | ,0]
            {"type":"object","properties":{"tags":{"type":"array"}},"required":["tags"]} |        | {"tags":[]}
            {"type":"object","properties":{"a":{"type":"object","required":["b"]}},"required":["a"]} | | {"a":{"b":0}}
            {"type":"object","properties":{"a":{"const":{"b":[1]}}},"required":["a"]} |           | {"a":{"b":[1]}}
            {"type":"object","required":["a"],"properties":{"a":{"anyOf":[\
            {"type":"array","minItems":1},{"type":"boolean"}]}}} | { | "a":[0]}
            {"type":"object","required":["b","a"]}                                 | {"c":1,"a"   | :0,"b":0}
            {"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"anyOf":[\
            {"$ref":"#/$defs/n"},{"type":"null"}]}},"required":["n"]}}} | {"n":{ | "n":null}}
            """)
    void endsTheValueWithFewBytes(String schema, String begun, String ending) throws Exception {
        assertThat(ending(schema, begun == null ? "" : begun)).isEqualTo(ending);
    }

    @Test
    void namesEveryRequiredPropertyOfManyInAnyOrder() throws Exception {
        var names =
                IntStream.range(0, 60).mapToObj(number -> "\"p" + number + "\"").collect(Collectors.joining(","));

        var ending = ending("{\"type\":\"object\",\"required\":[" + names + "]}", "");

        assertThat(new ObjectMapper().readTree(ending)).hasSize(60);
    }

    private static String ending(String schema, String begun) throws Exception {
        var grammar = JsonSchemaCompiler.compile(new ObjectMapper().readTree(schema), LOOSE, RegexPool.shared())
                .grammar();
        var matcher = new Constraint(grammar, BYTES).start();
        if (!begun.isEmpty()) {
            assertThat(matcher.accept(begun.getBytes(StandardCharsets.UTF_8))).isTrue();
        }
        var ending = Objects.requireNonNull(matcher.ending());
        assertThat(ending.length == 0 || matcher.accept(ending)).isTrue();
        assertThat(matcher.accepting()).isTrue();
        return new String(ending, StandardCharsets.UTF_8);
    }
}
