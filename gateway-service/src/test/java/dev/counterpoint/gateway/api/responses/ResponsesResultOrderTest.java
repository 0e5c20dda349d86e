package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.prompt.PromptRenderer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ResponsesResultOrderTest {
    private static final List<String> CALLS = List.of(
            "'type':'function_call','name':'f','arguments':'{}'",
            "'type':'custom_tool_call','name':'run','input':'1'",
            "'type':'function_call','namespace':'crm','name':'f','arguments':'{}'",
            "'type':'function_call','name':'f','arguments':'{}'",
            "'type':'custom_tool_call','name':'patch','input':'2'");
    private static final PromptRenderer RENDERER = new PromptRenderer(TestKeys.of(ServiceRole.GATEWAY));

    @Test
    void anyPermutationOfResultsGivesOnePrompt() {
        var order = new ArrayList<>(IntStream.range(0, CALLS.size()).boxed().toList());
        var inCallOrder = prompt(order);
        var random = new Random(43);

        for (int i = 0; i < 300; i++) {
            Collections.shuffle(order, random);
            assertThat(prompt(order)).isEqualTo(inCallOrder);
        }
        assertThat(inCallOrder).containsSubsequence("result 0", "result 1", "result 2", "result 3", "result 4");
    }

    private static String prompt(List<Integer> order) {
        var calls = IntStream.range(0, CALLS.size())
                .mapToObj(index -> "{'call_id':'c" + index + "'," + CALLS.get(index) + "}")
                .collect(Collectors.joining(","));
        var results = order.stream()
                .map(call -> "{'type':'%s_output','call_id':'c%d','output':'result %d'}"
                        .formatted(
                                CALLS.get(call).contains("custom") ? "custom_tool_call" : "function_call", call, call))
                .collect(Collectors.joining(","));
        var body = """
            {'model':'m','input':[{'role':'user','content':'x'},%s,%s],'tools':[{'type':'custom','name':'run'},
            {'type':'custom','name':'patch','format':{'type':'grammar','syntax':'regex','definition':'[0-9]+'}},
            {'type':'function','name':'f','parameters':{'type':'object'}},
            {'type':'namespace','name':'crm','description':'','tools':[{'type':'function','name':'f'}]}]}
            """.formatted(calls, results).replace('\'', '"');
        return HarmonyTokenizer.shared().decode(RENDERER.render(TranslatedRequestTest.job(body), 0));
    }
}
