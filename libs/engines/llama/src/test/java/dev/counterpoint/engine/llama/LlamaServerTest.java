package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.counterpoint.engine.testkit.SchemaAnswers;
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
    void keepsTwoHundredAnswersToTheirSchemas() throws InterruptedException {
        var answers = SchemaAnswers.of(engine, 200);

        assertThat(answers.wrong()).isZero();
        assertThat(answers.valid()).isGreaterThanOrEqualTo(180);
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
