package dev.counterpoint.gateway.api.chat;

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

class ChatResultOrderTest {
    private static final int CALLS = 5;
    private static final PromptRenderer RENDERER = new PromptRenderer(TestKeys.of(ServiceRole.GATEWAY));

    @Test
    void anyPermutationOfResultsGivesOnePrompt() {
        var order = new ArrayList<>(IntStream.range(0, CALLS).boxed().toList());
        var inCallOrder = prompt(order);
        var random = new Random(43);

        for (int i = 0; i < 300; i++) {
            Collections.shuffle(order, random);
            assertThat(prompt(order)).isEqualTo(inCallOrder);
        }
        assertThat(inCallOrder).containsSubsequence("result 0", "result 1", "result 2", "result 3", "result 4");
    }

    private static String prompt(List<Integer> order) {
        var calls =
                IntStream.range(0, CALLS).mapToObj(ChatResultOrderTest::call).collect(Collectors.joining(","));
        var results = order.stream()
                .map(call -> "{'role':'tool','tool_call_id':'k%1$d','content':'result %1$d'}".formatted(call))
                .collect(Collectors.joining(","));
        var body = """
            {'model':'m','messages':[{'role':'user','content':'x'},{'role':'assistant','tool_calls':[%s]},%s],
            'tools':[{'type':'custom','custom':{'name':'run'}},{'type':'function','function':{'name':'f'}}]}
            """.formatted(calls, results).replace('\'', '"');
        return HarmonyTokenizer.shared().decode(RENDERER.render(ChatRequestTest.job(body, false), 0));
    }

    private static String call(int index) {
        var kind = index % 2 == 0
                ? "'type':'function','function':{'name':'f','arguments':'{}'}"
                : "'type':'custom','custom':{'name':'run','input':'1'}";
        return "{'id':'k" + index + "'," + kind + "}";
    }
}
