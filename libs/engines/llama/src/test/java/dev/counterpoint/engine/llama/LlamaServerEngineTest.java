package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.remote.LlamaServerDialect;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.testkit.EngineContractTest;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.engine.testkit.ServerLoss;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The contract of engines, kept by the engine of servers and a real llama-server.
@EnabledIfSystemProperty(named = "llama-server", matches = "required", disabledReason = "ask for it by -Pllama-server")
@Timeout(600)
class LlamaServerEngineTest extends EngineContractTest {
    /// Of 640 tokens for each sequence.
    private static final String[] CONTEXT = {"--ctx-size", String.valueOf(SLOTS * 640)};

    private static LlamaServerProcess server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = LlamaServerProcess.start(CONTEXT);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Engine create() {
        var engine = engine(List.of(server.address()));
        await(engine, "1 of 1 servers are well");
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

    private static void await(Engine engine, String detail) {
        while (!engine.health().detail().startsWith(detail) || engine.health().status() != EngineHealth.Status.READY) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    @Override
    protected Set<Integer> stopTokens() {
        return Set.of(SpecialTokens.RETURN, SpecialTokens.CALL, SpecialTokens.END_OF_TEXT);
    }

    @Test
    void oneOfTwoDiesInTheMiddleOfAnswersAndTheOtherSaysTheRest() throws IOException, InterruptedException {
        try (var mortal = LlamaServerProcess.start(CONTEXT);
                var two = engine(List.of(server.address(), mortal.address()))) {
            await(two, "2 of 2 servers are well");
            var request = RequestVariants.sampled(request(prompt(), 300, Set.of(), TokenMask.ALL), Sampling.GREEDY);

            ServerLoss.survives(two, request, mortal::kill);

            await(two, "1 of 2 servers are well");
        }
    }
}
