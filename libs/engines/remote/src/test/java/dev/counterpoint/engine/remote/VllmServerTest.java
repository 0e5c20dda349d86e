package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract of engines, kept by the engine of servers and a real vLLM.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
@Timeout(600)
class VllmServerTest extends EngineContractTest {
    private static VllmProcess server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = VllmProcess.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Engine create() {
        var engine = new RemoteEngine(new RemoteOptions(
                new VllmDialect(),
                "gpt-oss-20b",
                VllmProcess.MODEL,
                new UpstreamAccess(
                        List.of(server.address()), null, UpstreamAccess.Timeouts.DEFAULT, ServerDialect.HEALTH_PATH),
                OptionalInt.of(SLOTS),
                131_072));
        while (engine.health().status() != EngineHealth.Status.READY) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        return engine;
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }

    /// Finding 7: the V1 runner of CPUs draws a resumed output anew, and its ability says so. What is not drawn goes
    /// on.
    @Override
    @Test
    protected void resumesAtEveryPositionWithExactlyTheRemainingTokens() throws InterruptedException {
        assertThat(engine.describe().can(Ability.RESUMES_DRAWS)).isFalse();
        var request = RequestVariants.sampled(request(prompt(), MANY), Sampling.GREEDY);
        int[] whole = GenerationPull.all(engine, request).ids();

        for (int cut = 0; cut <= whole.length; cut++) {
            var rest = GenerationPull.all(engine, RequestVariants.resumed(request, Arrays.copyOf(whole, cut)));

            assertThat(rest.ids()).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, whole.length));
            assertThat(rest.reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    /// Finding 4: the context is the server's, whatever the setting says.
    @Test
    void knowsWhatTheServerIs() {
        assertThat(engine.describe().contextLength()).isEqualTo(VllmProcess.CONTEXT_LENGTH);
        assertThat(engine.describe().text())
                .isEqualTo("gpt-oss-20b by vLLM 0.32.0; context of 640 tokens by a server,"
                        + " 131072 by"
                        + " worker.remote.context-length");
    }

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

        try (var generation = engine.start(request)) {
            GenerationPull.all(generation);

            // Its blocks have 128 tokens on the CPU.
            assertThat(generation.cachedTokens()).isEqualTo(128);
        }
    }

    @Test
    void obeysABias() throws InterruptedException {
        var sampling = Sampling.GREEDY.withLogitBias(Map.of(4242, 100.0));

        var pulled = GenerationPull.all(
                engine, RequestVariants.sampled(request(prompt(), 3, Set.of(), TokenMask.ALL), sampling));

        assertThat(pulled.ids()).containsExactly(4242, 4242, 4242);
    }
}
