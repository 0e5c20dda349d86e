package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.remote.LlamaServerDialect;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.engine.testkit.SchemaAnswers;
import dev.counterpoint.engine.testkit.ServerLoss;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract of engines, kept by the engine of servers and a real llama-server.
@EnabledIfSystemProperty(named = "llama-server", matches = "required", disabledReason = "ask for it by -Pllama-server")
@Timeout(600)
class LlamaServerTest extends EngineContractTest {
    private static final int CONTEXT_LENGTH = 768;

    private static LlamaServerProcess server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = startServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// One whose slots have the context of the tests.
    private static LlamaServerProcess startServer() throws IOException, InterruptedException {
        return LlamaServerProcess.start("--ctx-size", String.valueOf(SLOTS * CONTEXT_LENGTH));
    }

    @Override
    protected Engine create() {
        var engine = engine(List.of(server.address()));
        awaitWell(engine, "1 of 1");
        return engine;
    }

    private static RemoteEngine engine(List<URI> servers) {
        return new RemoteEngine(new RemoteOptions(
                new LlamaServerDialect(false),
                "made-up",
                null,
                new UpstreamAccess(servers, null, UpstreamAccess.Timeouts.DEFAULT, ServerDialect.HEALTH_PATH),
                OptionalInt.of(SLOTS),
                131_072));
    }

    private static void awaitWell(Engine engine, String servers) {
        await(() -> engine.health().status() == EngineHealth.Status.READY
                && engine.health().detail().startsWith(servers + " servers are well"));
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }

    /// It draws a resumed output anew, and the ability says so. What is not drawn goes on.
    @Override
    @Test
    protected void resumesAtEveryPositionWithExactlyTheRemainingTokens() throws InterruptedException {
        resumesAtEveryPositionWhatIsNotDrawn();
    }

    @Test
    void knowsWhatTheServerIs() {
        assertThat(engine.describe().text())
                .startsWith("made-up by llama-server ")
                .endsWith("; context of 768 tokens by a server, 131072 by worker.remote.context-length");
    }

    @Test
    @EnabledIf(value = TestLibrary.IS_THERE, disabledReason = TestLibrary.ABSENT)
    void saysWhatLlamaCppInTheProcessSays() throws InterruptedException {
        var capacity = LlamaOptions.Capacity.of(1, CONTEXT_LENGTH, 4096);
        try (var inProcess = LlamaEngine.open(
                TestLibrary.source(), new LlamaOptions("made-up", GgufTestModel.file(), capacity, 1))) {
            int[] expected = GenerationPull.all(inProcess, greedy(MANY)).ids();

            assertThat(GenerationPull.all(engine, greedy(MANY)).ids()).isEqualTo(expected);
        }
    }

    @Test
    void countsWhatWasSaidBeforeForThePenaltiesAndNotThePrompt() throws InterruptedException {
        // The model's logits are hundreds apart: this much brings the token forward, and the penalty back now and then.
        var sampling = new Sampling(0, 1, 0, 0, 2, Map.of(prompt()[0], 250.0), null, null);
        var request = RequestVariants.sampled(greedy(MANY), sampling);
        int[] whole = GenerationPull.all(engine, request).ids();

        var rest = GenerationPull.all(engine, RequestVariants.resumed(request, Arrays.copyOf(whole, 20)));

        assertThat(whole).contains(prompt()[0]);
        assertThat(rest.ids()).isEqualTo(Arrays.copyOfRange(whole, 20, MANY));
    }

    @Test
    void keepsTwoHundredAnswersToTheirSchemas() throws InterruptedException {
        var answers = SchemaAnswers.of(engine, 200);

        assertThat(answers.wrong()).isZero();
        assertThat(answers.valid()).isGreaterThanOrEqualTo(180);
    }

    @Test
    void freesTheServersSlotsOnCancel() throws InterruptedException {
        // More than it has slots: each must come free again for the next to say anything.
        for (int i = 0; i < 3 * SLOTS; i++) {
            try (var generation = new PulledGeneration(engine, greedy(400))) {
                nextToken(generation);
            }
        }
    }

    @Test
    void oneOfTwoDiesInTheMiddleOfAnswersAndTheOtherSaysTheRest() throws IOException, InterruptedException {
        try (var mortal = startServer();
                var two = engine(List.of(server.address(), mortal.address()))) {
            awaitWell(two, "2 of 2");

            ServerLoss.survives(two, greedy(300), mortal::kill);

            awaitWell(two, "1 of 2");
        }
    }

    private GenerationRequest greedy(int maxTokens) {
        return RequestVariants.sampled(request(prompt(), maxTokens, Set.of(), TokenMask.ALL), Sampling.GREEDY);
    }
}
