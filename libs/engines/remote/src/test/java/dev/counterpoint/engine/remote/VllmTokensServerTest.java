package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// A real vLLM asked by its token endpoint.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
class VllmTokensServerTest extends PythonServerContractTest {
    private static PythonServer server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = PythonServer.VLLM.start("--enable-scale-out");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected PythonServer server() {
        return server;
    }

    @Override
    protected String description() {
        return "gpt-oss-20b by vLLM 0.32.0; context of 640 tokens by a server, 131072 by worker.remote.context-length";
    }

    /// Its blocks have 128 tokens on the CPU.
    @Override
    protected int reused() {
        return 128;
    }

    @Override
    protected ServerDialect dialect() {
        return VllmDialect.TOKENS;
    }

    /// So both engines may have such a server.
    @Test
    void givesCompletionsToo() throws InterruptedException {
        var options = TestOptions.of(VllmDialect.COMPLETIONS, List.of(server.address()))
                .withNames(PythonServer.MODEL, null)
                .options();
        var request = RequestVariants.sampled(request(prompt(), MANY), Sampling.GREEDY);
        try (var other = new RemoteEngine(options)) {
            await(() -> other.health().status() == EngineHealth.Status.READY);

            assertThat(GenerationPull.all(other, request).ids())
                    .isEqualTo(GenerationPull.all(engine, request).ids());
        }
    }
}
