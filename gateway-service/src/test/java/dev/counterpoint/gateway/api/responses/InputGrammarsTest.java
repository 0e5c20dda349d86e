package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.json.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Custom tools with a grammar.
class InputGrammarsTest {
    private static final String TOOL = """
            {"type":"custom","name":"dial","description":"Dials","format":
            {"type":"grammar","syntax":"regex","definition":"[0-9]{3,}"}}""";

    @Test
    void theModelIsToldOfTheGrammarAndCallsComeBackAsTheModelMadeThem() {
        var job = TranslatedRequestTest.job("""
            {"model":"m","tools":[{"type":"namespace","name":"phone","description":"Phones","tools":[%s]}],"input":[
            {"role":"user","content":"x"},
            {"type":"custom_tool_call","call_id":"c1","namespace":"phone","name":"dial","input":"\\"112\\""},
            {"type":"custom_tool_call_output","call_id":"c1","output":"1"},
            {"type":"custom_tool_call","call_id":"c2","name":"dial","input":"113"},
            {"type":"custom_tool_call_output","call_id":"c2","output":"2"}]}\
            """.formatted(TOOL));

        assertThat(job.tools())
                .containsExactly(new GenerationJob.FunctionTool(
                        "phone.dial",
                        "Phones\nDials",
                        "{\"type\":\"string\"}",
                        false,
                        new InputGrammar(InputGrammar.Syntax.REGEX, "[0-9]{3,}"),
                        false));
        assertThat(job.prompt())
                .contains(new PromptItem.Call("c1", "phone.dial", "\"112\""))
                .contains(new PromptItem.Call("c2", "dial", "{\"input\":\"113\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'custom','name':'dial'}",
                "{'type':'allowed_tools','mode':'required','tools':[{'type':'custom','name':'dial'}]}"
            })
    void aChoiceMayNameSuchATool(String choice) {
        var job = TranslatedRequestTest.job("{\"model\":\"m\",\"input\":\"x\",\"tools\":[" + TOOL
                + ",{\"type\":\"function\",\"name\":\"f\"}],\"tool_choice\":" + choice.replace('\'', '"') + "}");

        assertThat(job.choice().mode())
                .isIn(GenerationJob.ToolChoice.Mode.FUNCTION, GenerationJob.ToolChoice.Mode.REQUIRED);
        assertThat(job.tools().getFirst().input()).isNotNull();
    }

    @Test
    void aRefusalSaysWhatIsWrongAndWhere() {
        assertThatThrownBy(() -> grammar("lark", "start: word\\n  | 5 \\nword: /a/"))
                .isInstanceOfSatisfying(WireException.class, refusal -> {
                    assertThat(refusal.message())
                            .startsWith("Invalid value for 'tools[0].format.definition': Line 2, column 5 of the");
                    assertThat(refusal.param()).isEqualTo("tools[0].format.definition");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(((a{1,1000}){1,1000}){1,1000})b",
                "(a|b|ab)*c(?!.*((x+x+)+y){50})[^c]{9999}d{9999}",
                "((a?){30}b){9999}"
            })
    @Timeout(60)
    void hostileExpressionsEndSoon(String regex) {
        bounded("regex", regex);
    }

    @Test
    @Timeout(60)
    void hostileGrammarsEndSoon() {
        bounded("lark", "start: " + "(".repeat(100_000));
        bounded("lark", "start: ((a~10000)~10000)~10000\\na: \\\"x\\\" a?");
        bounded("lark", "start: a0" + chain(5_000));
        bounded("lark", "start: A0\\n" + doubling(60));
        bounded("lark", "x".repeat(1_000_000));
        bounded("lark", "start: A\\nA: /" + "(a|b)?".repeat(5_000) + "/");
    }

    private static String chain(int length) {
        var rules = new StringBuilder();
        for (int i = 0; i < length; i++) {
            rules.append("\\na")
                    .append(i)
                    .append(": a")
                    .append(i + 1)
                    .append(" a")
                    .append(i + 1);
        }
        return rules.append("\\na").append(length).append(": /x/").toString();
    }

    private static String doubling(int length) {
        var terminals = new StringBuilder();
        for (int i = 0; i < length; i++) {
            terminals.append("\\nA%d: A%d A%d".formatted(i, i + 1, i + 1));
        }
        return terminals.append("\\nA").append(length).append(": /x/").toString();
    }

    /// Taken or refused, but never for ever.
    private static void bounded(String syntax, String definition) {
        try {
            grammar(syntax, definition);
        } catch (WireException refusal) {
            assertThat(refusal.param()).isEqualTo("tools[0].format.definition");
        }
    }

    private static void grammar(String syntax, String definition) {
        TranslatedRequestTest.job("""
                {"model":"m","input":"x","tools":[{"type":"custom","name":"f","format":
                {"type":"grammar","syntax":"%s","definition":"%s"}}]}""".formatted(syntax, definition));
    }
}
