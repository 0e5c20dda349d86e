package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.engine.testkit.SchemaAnswers;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The contract of engines, kept by the engine of servers and a real server.
@Timeout(600)
abstract class PythonServerContractTest extends EngineContractTest {
    private static final int LONG = 200;

    protected abstract PythonServer server();

    protected abstract ServerDialect dialect();

    @Override
    protected Engine create() {
        var options = TestOptions.of(dialect(), List.of(server().address()))
                .withNames(PythonServer.MODEL, null)
                .withSlots(SLOTS)
                .withContext(131_072);
        var engine = new RemoteEngine(options.options());
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        return engine;
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }

    /// vLLM's V1 runner, the one of CPUs, and a SGLang that does not compute deterministically draw a resumed output
    /// anew, and the ability says so. What is not drawn goes on.
    @Override
    @Test
    protected void resumesAtEveryPositionWithExactlyTheRemainingTokens() throws InterruptedException {
        resumesAtEveryPositionWhatIsNotDrawn();
    }

    /// What is known of the server from the server itself.
    protected abstract String description();

    /// Finding 4: the context is the server's, whatever the setting says.
    @Test
    void knowsWhatTheServerIs() {
        assertThat(engine.describe().text()).isEqualTo(description());
    }

    /// How many tokens of the tests' prompt it has after a first request.
    protected abstract int reused();

    /// Finding 1: as many as its V2 runner holds; the V1 runner of CPUs would take more.
    @Test
    void takesAsManyBiasesAsWeEverSend() throws InterruptedException {
        var bias = IntStream.range(0, ServerRequest.BIASES_MAX)
                .boxed()
                .collect(Collectors.toUnmodifiableMap(token -> 2000 + token, _ -> -1.0));

        var pulled = GenerationPull.all(
                engine,
                RequestVariants.sampled(
                        request(prompt(), 4, Set.of(), TokenMask.ALL), Sampling.GREEDY.withLogitBias(bias)));

        assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
    }

    /// Finding 9.
    @Test
    void tellsTheTokensThatItHadAlready() throws InterruptedException {
        var request = request(prompt(), 4, Set.of(), TokenMask.ALL);
        GenerationPull.all(engine, request);

        try (var generation = new PulledGeneration(engine, request)) {
            GenerationPull.all(generation);

            assertThat(generation.cachedTokens()).isEqualTo(reused());
        }
    }

    @Test
    void obeysABias() throws InterruptedException {
        var sampling = Sampling.GREEDY.withLogitBias(Map.of(4242, 100.0));

        var pulled = GenerationPull.all(
                engine, RequestVariants.sampled(request(prompt(), 3, Set.of(), TokenMask.ALL), sampling));

        assertThat(pulled.ids()).containsExactly(4242, 4242, 4242);
    }

    @Test
    void countsWhatWasSaidBeforeForThePenalties() throws InterruptedException {
        // Given: an output that the penalty changes
        var request = RequestVariants.sampled(request(prompt(), LONG, Set.of(), TokenMask.ALL), Sampling.GREEDY);
        var penalised = RequestVariants.sampled(request, new Sampling(0, 1, 0, 0, 2, Map.of(), null, null));
        int[] whole = GenerationPull.all(engine, penalised).ids();
        assertThat(whole)
                .hasSize(LONG)
                .isNotEqualTo(GenerationPull.all(engine, request).ids());

        for (int cut : new int[] {1, LONG / 2, LONG - 10}) {
            // When
            var rest = GenerationPull.all(engine, RequestVariants.resumed(penalised, Arrays.copyOf(whole, cut)));
            // Then
            assertThat(rest.ids()).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, LONG));
        }
    }

    @Test
    void keepsAnswersToTheirSchemas() throws InterruptedException {
        var answers = SchemaAnswers.of(engine, 60);

        assertThat(answers.wrong()).isZero();
        assertThat(answers.valid()).isGreaterThanOrEqualTo(54);
    }
}
