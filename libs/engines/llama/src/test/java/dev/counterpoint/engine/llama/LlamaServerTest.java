package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.remote.LlamaServerDialect;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.testkit.ForcedTokens;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.LexemeIndex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.schema.JsonSchemaCompiler;
import dev.counterpoint.structured.schema.SchemaOptions;
import dev.counterpoint.structured.schema.Spacing;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The engine of servers against a real llama-server.
@EnabledIfSystemProperty(named = "llama-server", matches = "required", disabledReason = "ask for it by -Pllama-server")
class LlamaServerTest {
    private static final int[] PROMPT = IntStream.range(1000, 1200).toArray();
    private static final int MANY = 48;
    private static final ObjectMapper JSON = new ObjectMapper();

    private static LlamaServerProcess server;
    private static RemoteEngine engine;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = LlamaServerProcess.start();
        engine = new RemoteEngine(new RemoteOptions(
                new LlamaServerDialect(false),
                "made-up",
                null,
                new UpstreamAccess(
                        List.of(server.address()), null, UpstreamAccess.Timeouts.DEFAULT, ServerDialect.HEALTH_PATH),
                OptionalInt.of(4),
                640));
        while (engine.health().status() != EngineHealth.Status.READY) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    @AfterAll
    static void stop() {
        engine.close();
        server.close();
    }

    @Test
    @Timeout(120)
    @EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
    void saysWhatLlamaCppInTheProcessSays() throws InterruptedException {
        var options = new LlamaOptions("made-up", GgufTestModel.file(), LlamaOptions.Capacity.of(1, 640, 4096), 1);
        try (var inProcess = LlamaEngine.open(TestLibrary.source(), options)) {
            var expected =
                    GenerationPull.all(inProcess, request(MANY, TokenMask.ALL)).ids();

            assertThat(GenerationPull.all(engine, request(MANY, TokenMask.ALL)).ids())
                    .isEqualTo(expected);
        }
    }

    @Test
    @Timeout(120)
    void goesOnAfterAPrefix() throws InterruptedException {
        int[] whole = GenerationPull.all(engine, request(MANY, TokenMask.ALL)).ids();

        for (int cut : new int[] {1, 20, MANY - 1}) {
            var rest = GenerationPull.all(
                    engine, RequestVariants.resumed(request(MANY, TokenMask.ALL), Arrays.copyOf(whole, cut)));
            assertThat(rest.ids()).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, MANY));
            assertThat(rest.reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    @Timeout(120)
    void countsWhatWasSaidBeforeForThePenaltiesAndNotThePrompt() throws InterruptedException {
        // The model's logits are hundreds apart: this much brings the token forward, and the penalty back now and then.
        var sampling = new Sampling(0, 1, 0, 0, 2, Map.of(PROMPT[0], 250.0), null, null);
        var request = RequestVariants.sampled(request(MANY, TokenMask.ALL), sampling);
        int[] whole = GenerationPull.all(engine, request).ids();

        var rest = GenerationPull.all(engine, RequestVariants.resumed(request, Arrays.copyOf(whole, 20)));

        assertThat(whole).contains(PROMPT[0]);
        assertThat(rest.ids()).isEqualTo(Arrays.copyOfRange(whole, 20, MANY));
    }

    @Test
    @Timeout(120)
    void obeysMasksAndStopTokens() throws InterruptedException {
        int[] forced = {17, 4242, 100_000, 199_000};
        assertThat(GenerationPull.all(engine, request(4, new ForcedTokens(forced)))
                        .ids())
                .isEqualTo(forced);

        int[] free = GenerationPull.all(engine, request(MANY, TokenMask.ALL)).ids();
        var stopping = new GenerationRequest(
                "test", PROMPT, new int[0], Sampling.GREEDY, MANY, Set.of(free[7]), TokenMask.ALL, "");
        var stopped = GenerationPull.all(engine, stopping);
        assertThat(stopped.reason()).isEqualTo(StopReason.STOP_TOKEN);
        assertThat(free).startsWith(stopped.ids());
    }

    @Test
    @Timeout(500)
    void keepsTwoHundredAnswersToTheirSchemas() throws Exception {
        // Given: values of bounded length
        var schemas = List.of("{'enum':['red','blue',3]}", "{'type':'string','maxLength':9}", """
                {'type':'object','properties':{'n':{'type':'integer','minimum':0,'maximum':99},'t':{'type':'array',
                'items':{'type':'boolean'},'maxItems':3}},'required':['n','t'],'additionalProperties':false}""");
        int valid = 0;
        int cut = 0;
        for (int i = 0; i < 200; i++) {
            var schema = JSON.readTree(schemas.get(i % schemas.size()).replace('\'', '"'));
            var options = SchemaOptions.STRICT.withSpacing(Spacing.NONE);
            var grammar = JsonSchemaCompiler.compile(schema, options, RegexPool.shared())
                    .grammar();
            // When
            var pulled = GenerationPull.all(
                    engine,
                    new GenerationRequest(
                            "test",
                            IntStream.range(1000 + i, 1020 + i).toArray(),
                            new int[0],
                            Sampling.DEFAULT.withSeed(i),
                            200,
                            Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT),
                            new WrittenForm(grammar),
                            ""));
            // Then
            if (pulled.reason() != StopReason.STOP_TOKEN) {
                cut++;
            } else if (fits(grammar, Arrays.copyOf(pulled.ids(), pulled.ids().length - 1))) {
                valid++;
            }
        }
        assertThat(valid + cut).isEqualTo(200);
        assertThat(valid).isGreaterThanOrEqualTo(180);
    }

    private static boolean fits(Grammar grammar, int[] tokens) {
        var vocabulary = new TokenVocabulary(new byte[][] {{'a'}});
        var matcher = new Constraint(grammar, new LexemeIndex(vocabulary)).start();
        var tokenizer = HarmonyTokenizer.shared();
        return Arrays.stream(tokens).allMatch(token -> matcher.accept(tokenizer.bytes(token))) && matcher.accepting();
    }

    @Test
    @Timeout(120)
    void reportsLogProbabilities() throws InterruptedException {
        var request = RequestVariants.sampled(request(8, TokenMask.ALL), Sampling.GREEDY.withTopLogprobs(3));

        assertThat(GenerationPull.all(engine, request).steps()).hasSize(8).allSatisfy(step -> {
            var logprobs = step.logprobs();
            assertThat(logprobs).isNotNull();
            assertThat(logprobs.top()).hasSize(3);
            assertThat(logprobs.top().getFirst().token()).isEqualTo(step.id());
        });
    }

    @Test
    @Timeout(120)
    void freesTheServersSlotsOnCancel() throws InterruptedException {
        // More than it has slots: each must come free again for the next to say anything.
        for (int i = 0; i < 12; i++) {
            try (var generation = engine.start(request(400, TokenMask.ALL))) {
                while (!(generation.next() instanceof Step.Token)) {
                    // Bounded by the test's timeout.
                }
            }
        }
    }

    private static GenerationRequest request(int maxTokens, TokenMask mask) {
        return new GenerationRequest("test", PROMPT, new int[0], Sampling.GREEDY, maxTokens, Set.of(), mask, "");
    }
}
