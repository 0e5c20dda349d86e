package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.prompt.PromptRenderer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The prompt after calls whose results come later.
class AsyncToolsTest {
    private static final String TOOLS = """
            'tools':[{'type':'function','name':'f','parameters':{'type':'object'},'async':true},
            {'type':'namespace','name':'ns','description':'','tools':[{'type':'custom','name':'g','async':true}]},
            {'type':'function','name':'h','parameters':{'type':'object'},'async':false}]""";
    /// Two async calls and a normal one of one response.
    private static final String SAID = """
            {'role':'user','content':'x'},
            {'type':'function_call','call_id':'c1','name':'f','arguments':'{}','async':true},
            {'type':'custom_tool_call','call_id':'c2','namespace':'ns','name':'g','input':'i','async':true},
            {'type':'function_call','call_id':'c3','name':'h','arguments':'{}'}""";
    private static final String C3 = "{'type':'function_call_output','call_id':'c3','output':'three'}";
    private static final String C2 = "{'type':'custom_tool_call_output','call_id':'c2','output':'two'}";

    @Test
    void theModelIsToldWhichToolsAreAsync() {
        assertThat(job(SAID + "," + C3).tools())
                .extracting(GenerationJob.FunctionTool::name, GenerationJob.FunctionTool::async)
                .containsExactly(tuple("f", true), tuple("ns.g", true), tuple("h", false));
    }

    @Test
    void resultsInTheReverseOrderStandWhereTheyCameAndOneNeverComes() {
        var prompt = rendered(SAID + "," + C3 + "," + C2 + ",{'role':'user','content':'And?'}");

        assertThat(prompt.substring(prompt.indexOf("<|start|>user"))).isEqualTo("""
                <|start|>user<|message|>x<|end|>\
                <|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>\
                <|start|>functions.f<|channel|>commentary to=assistant<|message|>\
                {"status":"pending","call_id":"c1"}<|end|>\
                <|start|>assistant<|channel|>commentary to=functions.ns_g <|constrain|>json<|message|>\
                {"input":"i"}<|call|>\
                <|start|>functions.ns_g<|channel|>commentary to=assistant<|message|>\
                {"status":"pending","call_id":"c2"}<|end|>\
                <|start|>assistant<|channel|>commentary to=functions.h <|constrain|>json<|message|>{}<|call|>\
                <|start|>functions.h<|channel|>commentary to=assistant<|message|>three<|end|>\
                <|start|>functions.ns_g<|channel|>commentary to=assistant<|message|>\
                {"status":"completed","call_id":"c2"}
                two<|end|>\
                <|start|>user<|message|>And?<|end|><|start|>assistant""");
    }

    @Test
    void aLaterPromptGoesOnFromTheEarlierOne() {
        var earlier = rendered(SAID + "," + C3);
        var later = rendered(SAID + "," + C3 + ",{'role':'assistant','content':'Soon.'}," + C2
                + ",{'type':'function_call_output','call_id':'c1','output':'one'}");

        assertThat(later).startsWith(earlier).endsWith("""
                {"status":"completed","call_id":"c1"}
                one<|end|><|start|>assistant""");
    }

    @Test
    void aCallWithItsResultRightBehindItIsLikeAnyOther() {
        var job = job("""
                {'type':'function_call','call_id':'c1','name':'f','arguments':'{}','async':true},
                {'type':'function_call_output','call_id':'c1','output':'one'},
                {'type':'function_call','call_id':'c2','name':'f','arguments':'{}','async':true}""");

        assertThat(job.prompt())
                .containsExactly(
                        new PromptItem.Call("c1", "f", "{}"),
                        new PromptItem.CallOutput("c1", "f", "one"),
                        new PromptItem.Call("c2", "f", "{}"),
                        new PromptItem.CallOutput("c2", "f", "{\"status\":\"pending\",\"call_id\":\"c2\"}"));
    }

    @Test
    void theResultOfACallOutlivesACompaction() {
        // Given
        var items = read(SAID + "," + C3 + ",{'role':'user','content':'And?'},"
                + "{'type':'function_call','call_id':'c4','name':'h','arguments':'{}'}");

        // When
        var plan = CompactionPlan.of(items);

        // Then what still waits for its result stays
        assertThat(plan.told()).hasSize(3);
        assertThat(WireJson.write(new Input.Items(plan.rest())))
                .contains("\"c1\"", "\"c2\"", "And?", "\"c4\"")
                .doesNotContain("c3");
    }

    private static String rendered(String items) {
        var renderer = new PromptRenderer(TestKeys.of(ServiceRole.GATEWAY));
        return HarmonyTokenizer.shared().decode(renderer.render(job(items), 0));
    }

    private static GenerationJob job(String items) {
        var body = "{'model':'m',%s,'input':[%s]}".formatted(TOOLS, items);
        return TranslatedRequestTest.job(body.replace('\'', '"'));
    }

    private static List<InputItem> read(String items) {
        var json = ("[" + items + "]").replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return WireJson.read(json, Input.class) instanceof Input.Items(List<InputItem> read) ? read : List.of();
    }
}
