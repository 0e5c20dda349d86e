package dev.counterpoint.worker.constraint;

import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CALL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CHANNEL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CONSTRAIN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.END;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.MESSAGE;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.output.OutputComposer;
import dev.counterpoint.worker.output.OutputPart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the model said in an open turn stands in the turn's next prompt token for token, after a way through the
/// client: the reasoning sealed, the call as name and arguments.
class ReplayTest {
    private static final String CONTEXT = SealedReasoning.context("tenant-1", "default", "gpt-oss-20b");
    private static final ToolChoice REQUIRED = new ToolChoice(ToolChoice.Mode.REQUIRED, null);
    private static final long NOW = 1_000_000;
    private static final HarmonyTokenizer TOKENIZER = HarmonyTokenizer.shared();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"get_weather", "get-weather", "2fa", "python", "Get.Weather v2"})
    void aCallOfTheEngineIsReplayedAsItWasWhateverTheFunctionIsNamed(String function) throws Exception {
        var turn = new Turn(function, REQUIRED);
        assertReplayed(turn, sampled(turn));
    }

    @Test
    void twoCallsOfOneTurnAreReplayed() throws Exception {
        // Given
        var turn = new Turn("get_weather", REQUIRED);
        var first = sampled(turn);
        turn.answered(first);
        // When
        var second = sampled(turn);
        // Then
        assertReplayed(turn, second);
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void everySpellingOfACallIsReplayedAsTheModelChoseIt(int[] header) {
        var reasoned = tokens(CHANNEL, "analysis", MESSAGE, "H", "m", "m", ".", END, START, "assistant");
        var body = tokens(MESSAGE, "{\"city\":\"Paris\"}", CALL);
        assertReplayed(new Turn("get_weather", ToolChoice.AUTO), join(reasoned, header, body));
    }

    static Stream<int[]> spellings() {
        return Stream.of(
                tokens(CHANNEL, "commentary", " to=functions.get_weather", " ", CONSTRAIN, "json"),
                tokens(CHANNEL, "commentary", " to=functions.get_weather", " json"),
                tokens(CHANNEL, "commentary", " to=functions.get_weather", " code"),
                tokens(CHANNEL, "commentary", " to=functions.get_weather"),
                tokens(CHANNEL, "commentary", " to=get_weather", " ", CONSTRAIN, "json"),
                tokens(CHANNEL, "analysis", " to=functions.get_weather", " code"),
                tokens(" to=functions.get_weather", CHANNEL, "commentary", " json"),
                tokens(CHANNEL, "commentary", " to=", "functions", ".", "get", "_", "weather"));
    }

    @Test
    void thoughtsBeforeAndAfterAPreambleAreReplayed() {
        assertReplayed(
                new Turn("get_weather", ToolChoice.AUTO),
                tokens(CHANNEL, "analysis", MESSAGE, "Hm.", END, START, "assistant", CHANNEL, "commentary", MESSAGE),
                tokens("Let me see.", END, START, "assistant", CHANNEL, "analysis", MESSAGE, "S", "o", ".", END),
                tokens(START, "assistant", CHANNEL, "commentary", " to=functions.get_weather", " code", MESSAGE),
                tokens("{}", CALL));
    }

    @Test
    void whatTheClientChangedIsRenderedFromItsOwnWords() {
        // Given
        var turn = new Turn("get_weather", ToolChoice.AUTO);
        turn.answered(tokens(
                CHANNEL,
                "analysis",
                MESSAGE,
                "Hm.",
                END,
                START,
                "assistant",
                CHANNEL,
                "commentary",
                " to=functions.get_weather",
                " code",
                MESSAGE,
                "{}",
                CALL));
        // When another function was called, and other arguments were given
        turn.items.replaceAll(
                item -> item instanceof PromptItem.Call ? new PromptItem.Call("call_1", "other", "{\"a\":1}") : item);
        // Then
        assertThat(TOKENIZER.decode(turn.prompt()))
                .contains("<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant"
                        + "<|channel|>commentary to=functions.other <|constrain|>json<|message|>{\"a\":1}<|call|>");
    }

    private static void assertReplayed(Turn turn, int[]... stream) {
        var said = join(stream);
        var before = turn.prompt();
        turn.answered(said);
        var after = turn.prompt();
        assertThat(turn.counted()).isEqualTo(after.length);
        assertThat(TOKENIZER.decode(after)).startsWith(TOKENIZER.decode(join(before, said)));
        assertThat(Arrays.copyOf(after, before.length + said.length)).isEqualTo(join(before, said));
    }

    private static int[] sampled(Turn turn) throws InterruptedException {
        var said = IntStream.builder();
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"));
                var generation = new PulledGeneration(
                        engine,
                        new GenerationRequest(
                                "test",
                                turn.prompt(),
                                new int[0],
                                Sampling.GREEDY,
                                2_000,
                                Set.of(CALL, SpecialTokens.RETURN),
                                Constraints.of(
                                        "tenant", turn.job(), DeclaredFunctions.of(turn.job()), engine.describe()),
                                "salt"))) {
            for (var step = generation.next(); !(step instanceof Step.Stopped); step = generation.next()) {
                if (step instanceof Step.Token(int id, TokenLogprobs _)) {
                    said.add(id);
                }
            }
        }
        return said.build().toArray();
    }

    /// A turn whose client sends back what it got.
    private static final class Turn {
        private final List<FunctionTool> tools;
        private final ToolChoice choice;
        private final List<PromptItem> items = new ArrayList<>(List.of(new PromptItem.User("The weather in Paris?")));

        Turn(String function, ToolChoice choice) {
            var schema =
                    "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}},\"required\":[\"city\"]}";
            tools = List.of(
                    new FunctionTool("other", "Does something else.", schema, false),
                    new FunctionTool(function, "Tells the weather of a city.", schema, false));
            this.choice = choice;
        }

        GenerationJob job() {
            return new GenerationJob(
                    items,
                    tools,
                    choice,
                    "low",
                    "2026-11-21",
                    null,
                    GenerationJob.Sampling.DEFAULT,
                    0,
                    GenerationJob.ReasoningTerms.of(CONTEXT));
        }

        int[] prompt() {
            return new PromptRenderer(keys).render(job(), NOW);
        }

        /// As one counts who cannot open what was sealed.
        int counted() {
            return new PromptRenderer(keys).count(job(), NOW);
        }

        /// Takes the model's stream through composer, seal and client, and adds the result of the call.
        void answered(int[] stream) {
            var composer = new OutputComposer(DeclaredFunctions.of(job()), OutputComposer.Stops.at(), _ -> {}, false);
            for (int token : stream) {
                composer.accept(token, null);
            }
            var parts = composer.finish();
            var text = new StringBuilder();
            String recipient = null;
            for (var part : parts) {
                if (part instanceof OutputPart.Reasoned(int[] sampled, int _)) {
                    int tokens = PromptRenderer.tokens(sampled, DeclaredFunctions.of(job()));
                    var header = new SealedReasoning.Header(NOW, tokens, "");
                    items.add(new PromptItem.Sealed(SealedReasoning.seal(sampled, header, CONTEXT, keys)));
                }
                if (part instanceof OutputPart.Body(int _, Lane lane, var delta) && lane == Lane.VISIBLE) {
                    if (delta.header() != null) {
                        recipient = delta.header().recipient();
                    }
                    text.append(delta.text());
                    if (delta.closed() && recipient == null) {
                        items.add(new PromptItem.Assistant(text.toString(), true));
                        text.setLength(0);
                    }
                }
            }
            // The stream ends in a call.
            var function = Objects.requireNonNull(recipient).substring("functions.".length());
            items.add(new PromptItem.Call("call_1", function, text.toString()));
            items.add(new PromptItem.CallOutput("call_1", function, "sunny"));
        }
    }

    private static int[] join(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }

    private static int[] tokens(Object... pieces) {
        return Arrays.stream(pieces)
                .flatMapToInt(piece -> piece instanceof Integer control
                        ? IntStream.of(control)
                        : Arrays.stream(TOKENIZER.encode((String) piece)))
                .toArray();
    }
}
