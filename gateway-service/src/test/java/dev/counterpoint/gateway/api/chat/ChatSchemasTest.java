package dev.counterpoint.gateway.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.openai.json.WireException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChatSchemasTest {
    @ParameterizedTest(name = "{1}: {3}")
    @CsvFileSource(
            resources = "/refused/chat-schemas.csv",
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

    @Test
    void aFunctionThatDoesNotSayIsNotStrict() {
        var job = job("{'model':'m','messages':[{'role':'user','content':'x'}],'tools':[{'type':'function','function':"
                + "{'name':'f','parameters':{'type':'object','properties':{},'additionalProperties':false}}},"
                + "{'type':'function','function':{'name':'g','parameters':{'oneOf':[{'type':'object'}]}}},"
                + "{'type':'function','function':{'name':'h','strict':true}}]}");

        assertThat(job.tools()).extracting(GenerationJob.FunctionTool::strict).containsExactly(false, false, true);
    }

    @Test
    void aFormatThatIsNotStrictMayBeAnySchema() {
        var job = job("{'model':'m','messages':[{'role':'user','content':'x'}],'response_format':{'type':'json_schema',"
                + "'json_schema':{'name':'n','schema':{'type':'array','uniqueItems':true}}}}");

        assertThat(job.format())
                .isEqualTo(new GenerationJob.ResponseFormat(
                        "n", null, "{\"type\":\"array\",\"uniqueItems\":true}", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"'auto'", "'required'", "{'type':'function','function':{'name':'g'}}"})
    void aFunctionThatFitsNoArgumentsStopsNoCallOfAnother(String choice) {
        var job = job("{'model':'m','messages':[{'role':'user','content':'x'}],'tools':[{'type':'function','function':"
                + "{'name':'f','parameters':{'type':'object','required':['a'],'properties':{'a':false}}}},"
                + "{'type':'function','function':{'name':'g'}}],'tool_choice':" + choice + "}");

        assertThat(job.tools()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'role':'system','content':'Write JSON.'}",
                "{'role':'developer','content':[{'type':'text','text':'a'},{'type':'text','text':'some json'}]}",
                "{'role':'user','content':'A Json object'}",
                "{'role':'assistant','content':'{} is jSoN'}",
            })
    void anyMessageMaySayTheWordJson(String message) {
        var job = job("{'model':'m','messages':[" + message
                + ",{'role':'user','content':'x'}],'response_format':{'type':'json_object'}}");

        assertThat(job.format()).isEqualTo(new GenerationJob.ResponseFormat("json_object", null, null, true));
    }

    private static GenerationJob job(String body) {
        return ChatRequestTest.job(body.replace('\'', '"'), false);
    }
}
