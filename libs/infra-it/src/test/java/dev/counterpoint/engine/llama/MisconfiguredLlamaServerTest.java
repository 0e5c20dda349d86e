package dev.counterpoint.engine.llama;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.http.UpstreamAccess;
import dev.counterpoint.engine.remote.LlamaServerDialect;
import dev.counterpoint.engine.remote.RemoteEngine;
import dev.counterpoint.engine.remote.RemoteOptions;
import dev.counterpoint.engine.remote.ServerDialect;
import dev.counterpoint.engine.remote.SglangDialect;
import dev.counterpoint.engine.remote.VllmDialect;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A real llama-server that wants a key, asked by engines that are set up for another one.
@EnabledIfSystemProperty(named = "llama-server", matches = "required", disabledReason = "ask for it by -Pllama-server")
@Timeout(120)
class MisconfiguredLlamaServerTest {
    private static final String KEY = "right";
    private static final String MODEL = "made-up";

    private static LlamaServerProcess server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = LlamaServerProcess.start("--api-key", KEY, "--alias", MODEL);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theRightKeyOpensIt() throws InterruptedException {
        try (var engine = engine(server, new LlamaServerDialect(false), MODEL, KEY)) {
            serves(engine);
        }
    }

    /// Dialect, model and key of the engine, and what is said.
    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(
                        new LlamaServerDialect(false),
                        MODEL,
                        null,
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                Arguments.of(
                        new LlamaServerDialect(false),
                        MODEL,
                        "wrong",
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"),
                Arguments.of(
                        new LlamaServerDialect(false),
                        "openai/gpt-oss-20b",
                        KEY,
                        "serves made-up and not openai/gpt-oss-20b, the name in worker.remote.upstream-model"),
                Arguments.of(
                        new SglangDialect(),
                        MODEL,
                        KEY,
                        "is llama-server and not SGLang: take worker.engine=llama-server"),
                Arguments.of(
                        VllmDialect.COMPLETIONS,
                        MODEL,
                        KEY,
                        "is llama-server and not vLLM: take worker.engine=llama-server"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void itIsLeftOutByName(ServerDialect dialect, String model, @Nullable String key, String said) {
        try (var engine = engine(server, dialect, model, key)) {
            var leftOut = "0 of 1 servers are well; left out: " + server.address() + " ";
            await(() -> engine.health().detail().startsWith(leftOut));
            assertThat(engine.health().detail()).isEqualTo(leftOut + said);
            assertThat(engine.describe().text()).endsWith("; 1 of 1 servers left out, because one " + said);
            assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        }
    }

    /// Earlier builds refused with 501.
    @Test
    void oneThatEmbedsServesAllTheSame() throws IOException, InterruptedException {
        try (var embedding = LlamaServerProcess.start("--embeddings");
                var engine = engine(embedding, new LlamaServerDialect(false), null, null)) {
            serves(engine);
        }
    }

    private static void serves(RemoteEngine engine) throws InterruptedException {
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        var request = new GenerationRequest(
                "test", new int[] {1000, 1001}, new int[0], Sampling.GREEDY, 4, Set.of(), TokenMask.ALL, "");

        assertThat(GenerationPull.all(engine, request).reason()).isEqualTo(StopReason.LENGTH);
    }

    private static RemoteEngine engine(
            LlamaServerProcess server, ServerDialect dialect, @Nullable String model, @Nullable String key) {
        var access = new UpstreamAccess(
                List.of(server.address()), key, UpstreamAccess.Timeouts.DEFAULT, ServerDialect.HEALTH_PATH);
        return new RemoteEngine(new RemoteOptions(dialect, MODEL, model, access, OptionalInt.of(4), 640));
    }
}
