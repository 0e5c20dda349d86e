package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForcedCallMaskTest {
    private static final String PARAMETERS =
            "{'type':'object','properties':{'city':{'type':'string'}},'required':['city']}".replace('\'', '"');

    @Test
    void makesTheModelCallAFunctionThatItWouldNotHaveCalled() throws Exception {
        var said = say("What is 2 plus 2?", List.of("get_weather"));

        assertThat(said).contains("commentary to=functions.get_weather <|constrain|>json<|message|>");
        assertThat(said).endsWith("<|call|>");
        var arguments = said.substring(said.lastIndexOf("<|message|>") + 11, said.length() - 8);
        assertThat(new ObjectMapper().readTree(arguments).isObject()).isTrue();
    }

    @Test
    void leavesTheChoiceAmongSeveralToTheModel() throws Exception {
        var said = say("call: get_weather {}", List.of("get", "get_weather", "send_mail"));

        assertThat(said).contains(" to=functions.get_weather <|constrain|>json");
    }

    private static String say(String question, List<String> functions) throws Exception {
        var parameters = new ObjectMapper().readTree(PARAMETERS);
        var tools = functions.stream()
                .map(name -> new ToolDescription(name, name.replace('_', ' '), parameters))
                .toList();
        var prompt = new HarmonyRenderer(HarmonyTokenizer.shared(), RenderOptions.production())
                .renderForCompletion(
                        new Conversation(List.of(
                                Message.system(SystemContent.defaults()),
                                Message.developer(DeveloperContent.withFunctions(null, tools)),
                                Message.user(question))),
                        Role.ASSISTANT);
        var request = new GenerationRequest(
                "test",
                prompt,
                new int[0],
                Sampling.GREEDY,
                2_000,
                Set.of(SpecialTokens.CALL, SpecialTokens.RETURN),
                new ForcedCallMask(new TurnRules(
                        true,
                        false,
                        functions.stream()
                                .map(name -> new TurnRules.Call(
                                        new FunctionNames(functions).recipient(name),
                                        new GenerationJob.FunctionTool(name, "", null, false)))
                                .toList(),
                        null)),
                "salt");
        var said = new StringBuilder();
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"));
                var generation = new PulledGeneration(engine, request)) {
            for (var step = generation.next(); !(step instanceof Step.Stopped); step = generation.next()) {
                if (step instanceof Step.Token(int id, TokenLogprobs _)) {
                    said.append(HarmonyTokenizer.shared().decode(new int[] {id}));
                }
            }
        }
        return said.toString();
    }
}
