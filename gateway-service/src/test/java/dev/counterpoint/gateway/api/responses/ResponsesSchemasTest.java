package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.gateway.request.ImageSources;
import dev.counterpoint.openai.json.WireException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponsesSchemasTest {
    @ParameterizedTest(name = "{1}: {3}")
    @CsvFileSource(
            resources = "/refused/responses-schemas.csv",
            delimiter = '|',
            quoteCharacter = '`',
            numLinesToSkip = 1,
            maxCharsPerColumn = 10_000,
            nullValues = "-")
    void aSchemaIsRefusedInOpenAisWords(String body, String param, @Nullable String code, String message) {
        assertThatThrownBy(() -> job(body)).isInstanceOfSatisfying(WireException.class, refusal -> {
            assertThat(refusal.message()).isEqualTo(message);
            assertThat(refusal.param()).isEqualTo(param);
            assertThat(refusal.code()).isEqualTo(code);
        });
    }

    @ParameterizedTest(name = "strict {0}, {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "null | {'type':'object','properties':{},'additionalProperties':false} | true",
                "false | {'type':'object','properties':{},'additionalProperties':false} | false",
                "true | {'type':'object','properties':{},'additionalProperties':false} | true",
                "null | {'type':'object','properties':{'a':{'type':'string'}}} | false",
                "null | {'oneOf':[{'type':'object'}]} | false",
                "null | null | false",
                "true | null | true",
            })
    void aFunctionThatDoesNotSayIsStrictIfItsSchemaIs(String said, String parameters, boolean strict) {
        var job = job("{'model':'m','input':'x','tools':[{'type':'function','name':'f','strict':" + said
                + ",'parameters':" + parameters + "}]}");

        assertThat(job.tools().getFirst().strict()).isEqualTo(strict);
        assertThat(job.tools().getFirst().parameters())
                .isEqualTo(parameters.equals("null") ? null : parameters.replace('\'', '"'));
    }

    @Test
    void aFormatThatIsNotStrictMayBeAnySchema() {
        var job = job("{'model':'m','input':'x','text':{'format':{'type':'json_schema','name':'n','schema':"
                + "{'type':'array','uniqueItems':true}}}}");

        assertThat(job.format())
                .isEqualTo(new GenerationJob.ResponseFormat(
                        "n", null, "{\"type\":\"array\",\"uniqueItems\":true}", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'Some JSON'",
                "[{'role':'developer','content':'Write json.'},{'role':'user','content':'x'}]",
                "[{'role':'user','content':[{'type':'input_text','text':'a Json object'}]}]",
            })
    void theWordJsonMayStandAnywhereInTheInput(String input) {
        var job = job("{'model':'m','input':" + input + ",'text':{'format':{'type':'json_object'}}}");

        assertThat(job.format()).isEqualTo(new GenerationJob.ResponseFormat("json_object", null, null, true));
    }

    @Test
    void aReferenceThatLeadsNowhereIsNamedInAWarning() {
        var request = "{'model':'m','input':'x','tools':[{'type':'function','name':'f','parameters':"
                + "{'type':'object','properties':{'a':{'$ref':'#/$defs/%s'}},'$defs':{'there':{}}}}]}";
        // When
        var good = translate(request.formatted("there"));
        var broken = translate(request.formatted("gone"));
        // Then
        assertThat(good.plan().notes()).isNull();
        assertThat(broken.plan().notes())
                .singleElement()
                .satisfies(note -> assertThat(note)
                        .startsWith("schema_reference_unresolved: ")
                        .endsWith(": #/$defs/gone"));
    }

    private static TranslatedRequest translate(String body) {
        return TranslatedRequestTest.translate(body.replace('\'', '"'), List.of(), ImageSources.NONE);
    }

    private static GenerationJob job(String body) {
        return TranslatedRequestTest.job(body.replace('\'', '"'));
    }
}
