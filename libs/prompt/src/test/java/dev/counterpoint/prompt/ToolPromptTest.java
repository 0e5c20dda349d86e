package dev.counterpoint.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the model sees of tools: their results and their parameters.
class ToolPromptTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static PromptRenderer renderer;

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        renderer = new PromptRenderer(KeyRing.load(folder, ServiceRole.WORKER));
    }

    @Test
    void anyPermutationOfResultsGivesThePromptInWhichTheyFollowTheirCalls() {
        var random = new Random(43);
        for (int i = 0; i < 300; i++) {
            // Given
            var calls = new ArrayList<Integer>();
            var results = new ArrayList<Integer>();
            var ordered = new ArrayList<PromptItem>(List.of(new PromptItem.User("hi")));
            var permuted = new ArrayList<>(ordered);
            for (int turn = 0; turn < 2; turn++) {
                var ids = new ArrayList<>(List.of(1, 2, 3, 4));
                Collections.shuffle(ids, random);
                calls.addAll(ids);
                Collections.shuffle(ids, random);
                results.addAll(ids);
                turn(ordered, turn, calls, calls);
                turn(permuted, turn, calls, results);
            }
            // Then
            assertThat(rendered(permuted)).isEqualTo(rendered(ordered));
        }
    }

    /// Four calls, then their results; the ids come again in every turn.
    private static void turn(List<PromptItem> prompt, int turn, List<Integer> calls, List<Integer> results) {
        calls.subList(turn * 4, turn * 4 + 4).forEach(id -> prompt.add(new PromptItem.Call("c" + id, "f" + id, "{}")));
        results.subList(turn * 4, turn * 4 + 4)
                .forEach(id -> prompt.add(new PromptItem.CallOutput("c" + id, "f" + id, "result " + id + turn)));
    }

    @Test
    void aResultWaitsForTheResultOfAnEarlierCall() {
        var prompt = rendered(List.of(
                new PromptItem.User("hi"),
                new PromptItem.Call("a", "f", "{}"),
                new PromptItem.Call("b", "f", "{}"),
                new PromptItem.CallOutput("b", "f", "of b"),
                new PromptItem.Call("c", "f", "{}"),
                new PromptItem.CallOutput("c", "f", "of c"),
                new PromptItem.CallOutput("a", "f", "of a")));

        assertThat(prompt).containsSubsequence("of a", "<|call|>", "of b", "of c");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'$ref':'#/$defs/city'} ; // Where.¶a?: string,",
                "{'$ref':'#/$defs/city','description':'To.'} ; // To.¶a?: string,",
                "{'$ref':'#/$defs/a b~1c'} ; a?: boolean,",
                "{'$ref':'#/$defs/a%20b~1c'} ; a?: boolean,",
                "{'$ref':'#/$defs/none'} ; a?: any,",
                "{'$ref':'elsewhere.json'} ; a?: any,",
                "{'type':'array','items':{'$ref':'#/$defs/city'}} ; a?: string[],",
                "{'anyOf':[{'type':'integer'},{'type':'null'}],'default':null} ; a?: number | null, // default: null",
                "{'anyOf':[{'$ref':'#/$defs/level'},{'type':'null'}]} ; a?: \"low\" | \"high\" | null,",
                "{'anyOf':[{'$ref':'#/$defs/point'},{'type':'null'}]} ; a?: {¶    x: number,¶    } | null,",
                "{'anyOf':[{'type':'string'},{'type':'array','items':{'type':'number'}},{'type':'null'}]} "
                        + "; a?:¶ | string¶ | number[]¶ | null¶,",
                "{'properties':{'y':{}},'type':'object','anyOf':[{'properties':{'z':{}}},{'$ref':'#/$defs/point'}]}"
                        + " ; a?:¶ | {¶   z?: any,¶   y?: any,¶   }¶ | {¶   x: number,¶   y?: any,¶   }¶,",
                "{'type':'object','properties':{'y':{}},'anyOf':[{'required':['y']}]} ; a?: {¶    y?: any,¶    },",
                "{'allOf':[{'$ref':'#/$defs/point'},{'properties':{'y':{'type':'string'}},'required':['y']}]} "
                        + "; a?: {¶    x: number,¶    y: string,¶    },",
                "{'type':'integer','enum':[60,1440]} ; a?: 60 | 1440,",
                "{'type':['string','null'],'enum':['x',null]} ; a?: \"x\" | null,",
                "{'enum':['x','y']} ; a?: \"x\" | \"y\",",
                "{'const':'x'} ; a?: \"x\",",
                "{'type':'number','const':1.5} ; a?: 1.5,",
            })
    void theModelSeesWhatTheNotationHasNoKeywordFor(String schema, String shown) {
        assertThat(parameters("{'type':'object','properties':{'a':" + schema + "},'$defs':{"
                        + "'city':{'type':'string','description':'Where.'},'a b/c':{'type':'boolean'},"
                        + "'level':{'type':'string','enum':['low','high']},"
                        + "'point':{'type':'object','properties':{'x':{'type':'number'}},'required':['x']}}}"))
                .isEqualTo("{\n" + shown.strip().replace('¶', '\n') + "\n}");
    }

    @Test
    void whatTheNotationHasKeywordsForIsWrittenAsItComes() {
        var schema = json("{'type':'object','description':'d','properties':{'a':{'oneOf':["
                + "{'type':'string','enum':['x']},"
                + "{'type':'null'}],'title':'t'},'b':{'type':['integer','null'],'nullable':true,'default':1},"
                + "'c':{'type':'array','items':{'type':'object','properties':{'d':{'examples':['e']}}}},'e':true},"
                + "'required':['a','b'],'additionalProperties':false}");

        assertThat(ToolSchema.writable(schema)).isEqualTo(schema);
    }

    @Test
    void aSchemaThatContainsItselfOrGrowsWithoutEndIsWrittenInPart() {
        var doubling = IntStream.range(0, 60)
                .mapToObj(i -> "'d%d':{'type':'object','properties':{'l':%2$s,'r':%2$s}}"
                        .formatted(i, "{'$ref':'#/$defs/d" + (i + 1) + "'}"))
                .collect(Collectors.joining(
                        ",", "{'type':'object','properties':{'a':{'$ref':'#/$defs/d0'}},'$defs':{", "}}"));

        assertThat(parameters("{'type':'object','properties':{'next':{'$ref':'#'},'n':{'type':'integer'}}}"))
                .isEqualTo("{\nnext?: any,\nn?: number,\n}");
        assertThat(parameters(doubling)).hasSizeBetween(1_000, 1_000_000);
    }

    private static String parameters(String schema) {
        var tool = new FunctionTool("f", "", json(schema).toString(), false);
        var prompt = rendered(List.of(new PromptItem.User("hi")), tool);
        return prompt.substring(
                prompt.indexOf("type f = (_: ") + "type f = (_: ".length(), prompt.indexOf(") => any;"));
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String rendered(List<PromptItem> prompt, FunctionTool... tools) {
        var job = new GenerationJob(
                prompt,
                List.of(tools),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("t|p|m"));
        return HarmonyTokenizer.shared().decode(renderer.render(job, 0));
    }
}
