package dev.counterpoint.structured.strict;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonTextTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a\" | 'a'",
                "\"it's\" | \"it's\"",
                "\"it's \\\"\" | 'it\\'s \"'",
                "\"\\n\\r\\t\\\\\" | '\\n\\r\\t\\\\'",
                "\"\\u0000\\u00ad\\u200b\\u00a0\" | '\\x00\\xad\\u200b\\xa0'",
                "\"é漢😀\" | 'é漢😀'",
                "\"\\udb40\\udc01\" | '\\U000e0001'",
                "null | None",
                "[true,1,\"b\",{\"c\":[]}] | [True, 1, 'b', {'c': []}]",
            })
    void printsValuesAsPythonDoes(String json, String printed) throws IOException {
        assertThat(PythonText.repr(MAPPER.readTree(json))).isEqualTo(printed);
    }

    @Test
    void printsAWayAsATuple() {
        var one = SchemaContext.ROOT.then("items");
        var deep = SchemaContext.ROOT;
        for (int i = 0; i < 100; i++) {
            deep = deep.then(Integer.toString(i));
        }

        assertThat(SchemaContext.ROOT.tuple()).isEqualTo("()");
        assertThat(one.tuple()).isEqualTo("('items',)");
        assertThat(one.then("properties", "a'b").tuple()).isEqualTo("('items', 'properties', \"a'b\")");
        assertThat(deep.tuple())
                .startsWith("('0', '1', ")
                .contains("'15', ..., '84'")
                .endsWith(", '99')");
    }
}
