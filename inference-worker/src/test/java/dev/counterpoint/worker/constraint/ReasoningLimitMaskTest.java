package dev.counterpoint.worker.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.model.Content.DeveloperContent;
import dev.counterpoint.harmony.model.Content.SystemContent;
import dev.counterpoint.harmony.model.Conversation;
import dev.counterpoint.harmony.model.Message;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolDescription;
import dev.counterpoint.harmony.render.HarmonyRenderer;
import dev.counterpoint.harmony.render.RenderOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.prompt.DeclaredFunctions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ReasoningLimitMaskTest {
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();
    private static final String QUESTION = "What is 17 plus 25?\nthink: The tens make 30, the ones make 12.\nsay: 42";
    private static final String ANALYSIS = "<|channel|>analysis<|message|>";
    private static final String NEXT = "<|end|><|start|>assistant";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void endsTheAnalysisAfterItsTokensAndLetsTheModelAnswer(int max) throws Exception {
        var said = decoded(say(new ReasoningLimitMask(max, TokenMask.ALL)));

        assertThat(said)
                .startsWith(ANALYSIS)
                .contains(NEXT + "<|channel|>final<|message|>")
                .endsWith("<|return|>");
        var analysis = said.substring(ANALYSIS.length(), said.indexOf("<|end|>"));
        assertThat(TOKENIZER.encode(analysis)).hasSize(max);
        assertThat(said.indexOf("analysis", ANALYSIS.length())).isNegative();
        assertThat(said).contains("42");
    }

    @Test
    void allowsNoAnalysisAtAllWithALimitOfNothing() throws Exception {
        var said = decoded(say(new ReasoningLimitMask(0, TokenMask.ALL)));

        assertThat(said)
                .startsWith("<|channel|>final<|message|>")
                .doesNotContain("analysis")
                .contains("42");
    }

    @Test
    void changesNothingBelowTheLimit() throws Exception {
        assertThat(say(new ReasoningLimitMask(10_000, TokenMask.ALL))).isEqualTo(say(TokenMask.ALL));
    }

    @ParameterizedTest
    @CsvSource({"0,", "3,", "0,get_weather", "3,get_weather"})
    void goesOnFromAnyTokenAsIfNothingHadHappened(int max, @Nullable String function) throws Exception {
        var whole = say(mask(max, function));

        for (int cut = 0; cut <= whole.length; cut++) {
            var prefix = Arrays.copyOf(whole, cut);
            var rest = say(mask(max, function), prefix);
            assertThat(IntStream.concat(Arrays.stream(prefix), Arrays.stream(rest)))
                    .as("cut after %d tokens", cut)
                    .containsExactlyElementsOf(IntStream.of(whole).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void leavesAForcedCallItsCall(int max) throws Exception {
        var said = decoded(say("call: get_weather {\"city\": \"Paris\"}", mask(max, "get_weather")));

        assertThat(said).startsWith(max == 0 ? "<|channel|>commentary to=" : ANALYSIS);
        assertThat(said).contains("<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{");
        assertThat(said).endsWith("<|call|>");
    }

    @Test
    void countsTheAnalysisOfTheWholeAnswerAndNothingElse() {
        // Given two messages of analysis of two tokens each, and a preamble between them
        var mask = new ReasoningLimitMask(4, TokenMask.ALL);
        accept(mask, ANALYSIS + " one two" + NEXT + "<|channel|>commentary<|message|> a b c d e f" + NEXT + ANALYSIS);
        accept(mask, " three");
        assertThat(mask.allowed()).isNull();
        // When
        accept(mask, " four");
        // Then
        assertThat(onlyAllowed(mask)).isEqualTo(SpecialTokens.END);
    }

    @Test
    void aCallWithinTheAnalysisChannelKeepsItsArguments() {
        var mask = new ReasoningLimitMask(2, TokenMask.ALL);

        accept(mask, "<|channel|>analysis to=functions.f <|constrain|>json<|message|> a b c d");

        assertThat(mask.allowed()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>analysis",
                "<|message|>",
                " to",
                "<|channel|>finalanalysis",
                "<|channel|>commentary<|channel|>",
                "<|channel|>final<|message|>4<|channel|>",
                "<|channel|>final<|message|>4<|start|>",
                "<|channel|>commentary<|message|>4<|end|><|start|>assistant<|message|>",
                "<|channel|>commentary<|message|>4<|end|><|start|>assistant<|channel|>analysis",
                "<|channel|>commentary<|message|>4<|end|><|start|>user",
                "<|channel|>commentary<|message|>4<|end|><|channel|>",
            })
    void noWayAroundLeadsBackToAnalysis(String text) {
        var mask = new ReasoningLimitMask(0, TokenMask.ALL);
        var tokens = Spelled.tokens(text);
        for (int i = 0; i < tokens.length - 1; i++) {
            mask.accept(tokens[i]);
        }

        assertThat(TokenMask.allows(mask.allowed(), tokens[tokens.length - 1])).isFalse();
        assertThatThrownBy(() -> mask.accept(tokens[tokens.length - 1])).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<|channel|>final<|message|>4<|return|>",
                "<|channel|>final <|constrain|>json<|message|>{}<|return|>",
                "<|channel|>commentary<|message|>Let me see.<|end|><|start|>assistant"
                        + "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
            })
    void everyOtherMessageOfTheModelPasses(String text) {
        accept(new ReasoningLimitMask(0, TokenMask.ALL), text);
    }

    private static TokenMask mask(int max, @Nullable String function) {
        var choice = function == null
                ? GenerationJob.ToolChoice.AUTO
                : new GenerationJob.ToolChoice(GenerationJob.ToolChoice.Mode.FUNCTION, function);
        var job = new GenerationJob(
                List.of(new PromptItem.User(QUESTION)),
                function == null ? List.of() : List.of(new GenerationJob.FunctionTool(function, "", null, false)),
                choice,
                "low",
                "",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context").withTokensMax(max));
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"))) {
            return Constraints.of("tenant", job, DeclaredFunctions.of(job), engine.describe());
        }
    }

    private static void accept(TokenMask mask, String text) {
        for (int token : Spelled.tokens(text)) {
            mask.accept(token);
        }
    }

    private static int onlyAllowed(TokenMask mask) {
        return IntStream.range(0, TOKENIZER.vocabularySize())
                .filter(token -> TokenMask.allows(mask.allowed(), token))
                .reduce((_, _) -> -1)
                .orElse(-1);
    }

    private static String decoded(int[] tokens) {
        return TOKENIZER.decode(tokens);
    }

    private static int[] say(TokenMask mask, int... prefix) throws Exception {
        return say(QUESTION, mask, prefix);
    }

    private static int[] say(String question, TokenMask mask, int... prefix) throws Exception {
        var parameters =
                new ObjectMapper().readTree("{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}");
        var tools = List.of(new ToolDescription("get_weather", "Tells the weather", parameters));
        var prompt = new HarmonyRenderer(TOKENIZER, RenderOptions.production())
                .renderForCompletion(
                        new Conversation(List.of(
                                Message.system(SystemContent.defaults()),
                                Message.developer(DeveloperContent.withFunctions(null, tools)),
                                Message.user(question))),
                        Role.ASSISTANT);
        var request = new GenerationRequest(
                "test",
                prompt,
                prefix,
                Sampling.GREEDY,
                2_000,
                Set.of(SpecialTokens.CALL, SpecialTokens.RETURN),
                mask,
                "salt");
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"));
                var generation = new PulledGeneration(engine, request)) {
            var said = GenerationPull.all(generation);
            assertThat(said.reason()).isEqualTo(StopReason.STOP_TOKEN);
            return said.ids();
        }
    }
}
