package dev.counterpoint.gateway.api.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.ReasoningOptions;
import dev.counterpoint.openai.responses.Tool;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the items of a conversation have to do with each other, and with the request that they come by.
class ConversationItemsTest {
    private static final String MISSING =
            "Invalid value for 'input[0].call_id': a result without it belongs to the one call that has no result yet,"
                    + " and there are %d such calls.";

    @ParameterizedTest(name = "{0} then {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            reasoning rs_1 | reasoning rs_1  | Duplicate item found with id rs_1. Remove
            call fc_1 c    | call fc_1 c     | Duplicate item found with id fc_1. Remove
            call fc_1 c    | call - c        | Duplicate item found with id c. Remove
            -              | call - c,call - c | Duplicate item found with id c. Remove
            message msg_1  | message msg_1   | Duplicate item found with id msg_1. Remove
            -              | message msg_known,reference msg_known | Duplicate item found with id msg_known. Remove
            call - c,result c | result c     | Duplicate item found with id c. Remove
            -              | result c        | No tool call found for function call output with call_id c.
            -              | result c,call - c | No tool call found for function call output with call_id c.
            call - c       | message msg_1   | No tool output found for function call c.
            """)
    void whatBreaksTheRuleOfItemsAndCallsIsRefusedInOpenAisWords(@Nullable String earlier, String own, String words) {
        assertThatThrownBy(() -> translate(earlier, own)).isInstanceOfSatisfying(WireException.class, refusal -> {
            assertThat(refusal.message()).startsWith(words);
            assertThat(refusal.param()).isEqualTo("input");
            assertThat(refusal.code()).isNull();
        });
    }

    @Test
    void anItemOfTheStoreThatBreaksTheRuleIsLeftOut() {
        var job = translate("result c,call fc_1 c,call fc_2 c,call fc_1 d,result c,result c", "message msg_1")
                .job();

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.Call("c", "f", "{}"),
                        new PromptItem.CallOutput("c", "f", "1"),
                        new PromptItem.User("x"));
    }

    @Test
    void aResultWithoutACallIdBelongsToTheOneOpenCall() {
        // When
        var translated = translate("call - a,result a,call - b", "result -,message msg_1");

        // Then
        assertThat(translated.job().prompt()).contains(new PromptItem.CallOutput("b", "f", "1"));
        assertThat(translated.input().getFirst())
                .isInstanceOfSatisfying(
                        InputItem.FunctionCallOutput.class,
                        kept -> assertThat(kept.callId()).isEqualTo("b"));
        assertThat(translated.said().own()).isEqualTo(translated.input());
    }

    @Test
    void aResultWithoutACallIdBelongsToTheOneOpenCallOfItsFunction() {
        // When
        var translated = TranslatedRequestTest.translate("""
            {"model":"m","input":[
                {"type":"function_call","id":null,"call_id":"a","name":"f","arguments":"{}"},
                {"type":"function_call","call_id":"b","name":"g","arguments":"{}","namespace":"n"},
                {"type":"function_call_output","call_id":null,"name":"g","namespace":"n","output":"2"},
                {"type":"function_call_output","name":"f","output":"1"},
                {"type":"web_search_call","id":"ws_1","status":"incomplete","action":{"type":"search","query":"a"}},
                {"role":"user","content":"x"}]}""", List.of());

        // Then
        assertThat(translated.job().prompt())
                .contains(new PromptItem.CallOutput("b", "n.g", "2"), new PromptItem.CallOutput("a", "f", "1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"call - a,result a | 0", "call - a,call - b | 2"})
    void aResultWithoutACallIdIsRefusedWhereNoneOrSeveralCallsAreOpen(String earlier, int open) {
        assertThatThrownBy(() -> translate(earlier, "result -"))
                .isInstanceOf(WireException.class)
                .hasMessage(MISSING.formatted(open));
    }

    @Test
    void additionalToolsOfTheConversationAreOfferedBesideThoseOfTheRequest() {
        // When
        var translated = TranslatedRequestTest.translate("""
                {"model":"m","tools":[{"type":"function","name":"a"},{"type":"function","name":"b"}],
                "tool_choice":{"type":"custom","name":"ns.c"},
                "input":[{"type":"additional_tools","role":"developer","tools":[
                    {"type":"namespace","name":"ns","description":"","tools":[{"type":"custom","name":"c"}]},
                    {"type":"function","name":"b","description":"newer"},{"type":"web_search"},
                    {"type":"mcp","server_label":"s","authorization":"CANARY"}]},
                    {"role":"user","content":"x"}]}""", items("tools e"));

        // Then
        assertThat(translated.job().tools())
                .extracting(GenerationJob.FunctionTool::name)
                .containsExactly("a", "e", "ns.c", "b");
        assertThat(translated.job().tools().getLast().description()).isEqualTo("newer");
        assertThat(translated.job().choice())
                .isEqualTo(new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, "ns.c"));
        assertThat(translated.plan().echo().tools()).hasSize(6).anyMatch(Tool.WebSearch.class::isInstance);
        assertThat(InputItems.write(translated.input()))
                .contains("additional_tools")
                .doesNotContain("CANARY");
    }

    @Test
    void aConfigurationUpdateSetsEffortAndFormatFromThereOn() {
        // When
        var translated = TranslatedRequestTest.translate("""
                {"model":"m","reasoning":{"effort":"low","summary":"auto"},"text":{"verbosity":"low"},
                "response_schema":{"type":"json","schema":{"type":"object"}},
                "input":[{"type":"configuration_update","reasoning":{"effort":"high"}},
                    {"role":"user","content":"x"}]}""", items("effort medium,format n"));

        // Then
        assertThat(translated.job().effort()).isEqualTo("high");
        assertThat(translated.job().format())
                .isEqualTo(new GenerationJob.ResponseFormat("n", null, "{\"type\":\"array\"}", false));
        assertThat(WireJson.write(translated.plan().echo()))
                .contains("\"effort\":\"high\",\"summary\":\"auto\"", "\"name\":\"n\"", "\"verbosity\":\"low\"");
    }

    @Test
    void anEffortByAnItemLeavesAModeByNameAsItIs() {
        var translated = TranslatedRequestTest.translate(
                "{\"model\":\"m\",\"reasoning\":\"summary\",\"input\":\"x\"}", items("effort high"));

        assertThat(translated.job().effort()).isEqualTo("high");
        assertThat(WireJson.write(translated.plan().echo())).contains("\"effort\":\"high\",\"summary\":\"auto\"");
    }

    @Test
    void settingsOutliveACompaction() {
        var plan = CompactionPlan.of(items("tools e,effort high,message msg_1,message msg_2"));

        assertThat(plan.rules()).hasSize(2).allMatch(InputItems::isSetting);
        assertThat(plan.told()).hasSize(1);
    }

    @Test
    void allTurnsHasTheEffectOfTheCurrentOneAndTheResponseSaysSo() {
        // Given
        var request = WireJson.read(
                "{\"model\":\"m\",\"input\":\"x\",\"reasoning\":{\"context\":\"all_turns\",\"effort\":\"high\"}}"
                        .getBytes(UTF_8),
                CreateResponse.class);

        // When
        ResponsesRules.check(request);
        var effective = EffectiveRequest.of(request, new ConversationInput(List.of(), List.of(), List.of(), 0, null));

        // Then
        assertThat(effective.request().reasoning())
                .isEqualTo(new ReasoningOptions("high", null, null, "current_turn", null));
        assertThat(effective.warning())
                .hasValueSatisfying(warning -> assertThat(warning).startsWith("reasoning_context: "));
    }

    private static TranslatedRequest translate(@Nullable String earlier, String own) {
        return TranslatedRequestTest.translate(
                "{\"model\":\"m\",\"input\":" + WireJson.write(new Input.Items(items(own))) + "}",
                earlier == null ? List.of() : items(earlier));
    }

    private static List<InputItem> items(String words) {
        var items = Stream.of(words.split(",")).map(ConversationItemsTest::item).collect(Collectors.joining(","));
        return switch (WireJson.read(("[" + items + "]").replace('\'', '"').getBytes(UTF_8), Input.class)) {
            case Input.Items(List<InputItem> read) -> read;
            case Input.Text _ -> List.of();
        };
    }

    /// An item in a few words: its kind, its id or `-`, and the id of its call.
    private static String item(String words) {
        var word = words.split(" ");
        var id = word[1].equals("-") ? "" : ",'id':'" + word[1] + "'";
        return switch (word[0]) {
            case "message" -> "{'type':'message','role':'user','content':'x'" + id + "}";
            case "reference" -> "{'type':'item_reference'" + id + "}";
            case "reasoning" -> "{'type':'reasoning','summary':[]" + id + "}";
            case "call" -> "{'type':'function_call','name':'f','arguments':'{}','call_id':'" + word[2] + "'" + id + "}";
            case "result" ->
                "{'type':'function_call_output','output':'1'" + (id.isEmpty() ? "" : ",'call_id':'" + word[1] + "'")
                        + "}";
            case "tools" ->
                "{'type':'additional_tools','role':'developer','tools':[{'type':'function','name':'" + word[1] + "'}]}";
            case "effort" -> "{'type':'configuration_update','reasoning':{'effort':'" + word[1] + "'}}";
            case "format" ->
                "{'type':'configuration_update','text':{'format':{'type':'json_schema','name':'" + word[1]
                        + "','schema':{'type':'array'}}}}";
            default -> throw new IllegalArgumentException(words);
        };
    }
}
