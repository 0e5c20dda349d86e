package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A real vLLM that wants a key, asked by engines that are set up for another one.
@EnabledIfSystemProperty(named = "vllm", matches = "required", disabledReason = "ask for it by -Pvllm")
@Timeout(600)
class MisconfiguredVllmServerTest extends WithServers {
    private static final String KEY = "right";

    private static PythonServer server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = PythonServer.VLLM.start("--api-key", KEY);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theRightKeyOpensIt() throws InterruptedException {
        var engine = engine(new VllmDialect(), PythonServer.MODEL, KEY);
        await(() -> engine.health().status() == EngineHealth.Status.READY);

        assertThat(GenerationPull.all(engine, request("", 8)).reason()).isEqualTo(StopReason.LENGTH);
    }

    /// Dialect, model and key of the engine, and what is said.
    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(
                        new VllmDialect(),
                        PythonServer.MODEL,
                        null,
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                Arguments.of(
                        new VllmDialect(),
                        PythonServer.MODEL,
                        "wrong",
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"),
                Arguments.of(
                        new VllmDialect(),
                        "openai/gpt-oss-20b",
                        KEY,
                        "serves made-up and not openai/gpt-oss-20b, the name in worker.remote.upstream-model"),
                Arguments.of(
                        new VllmTokensDialect(),
                        PythonServer.MODEL,
                        KEY,
                        "keeps /inference/v1/generate closed (HTTP 403): start it with --enable-scale-out,"
                                + " or take worker.engine=vllm"),
                Arguments.of(
                        new SglangDialect(),
                        PythonServer.MODEL,
                        KEY,
                        "is vLLM and not SGLang: take worker.engine=vllm"),
                Arguments.of(
                        new LlamaServerDialect(false),
                        PythonServer.MODEL,
                        KEY,
                        "is vLLM and not llama-server: take worker.engine=vllm"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void itIsLeftOutByName(ServerDialect dialect, String model, @Nullable String key, String said) {
        var engine = engine(dialect, model, key);

        await(() -> says(engine, "0 of 1 servers are well; left out: " + server.address() + " " + said));
        assertThat(engine.describe().text()).endsWith("; 1 of 1 servers left out, because one " + said);
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
    }

    @Test
    @Timeout(1800)
    void oneWithoutATokenizerServesAndIsSaidToHoldNothingToASchema() throws IOException, InterruptedException {
        var tokens = opened(PythonServer.VLLM.start("--tokens-only"));
        for (var dialect : List.of(new VllmDialect(), new VllmTokensDialect())) {
            var engine = engine(TestOptions.of(dialect, List.of(tokens.address())));
            await(() -> engine.health().status() == EngineHealth.Status.READY);

            assertThat(engine.describe().text())
                    .isEqualTo("gpt-oss-20b by vLLM 0.32.0; does not tokenize, as with --tokens-only, and so holds"
                            + " nothing to a schema: start it with --enable-scale-out");
            assertThat(GenerationPull.all(engine, request("", 8)).reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    @Timeout(1800)
    void oneThatEmbedsIsLeftOutByName() throws IOException, InterruptedException {
        var embedding = opened(PythonServer.VLLM.start("--runner", "pooling"));
        var engine = engine(TestOptions.of(new VllmDialect(), List.of(embedding.address())));

        await(() -> says(
                engine,
                "0 of 1 servers are well; left out: " + embedding.address()
                        + " has no /v1/completions (HTTP 404): start a vLLM that generates, without --runner pooling"));
    }

    @Test
    @Timeout(1800)
    void oneWhoseModelIsNotHarmonyIsLeftOutByName() throws IOException, InterruptedException {
        var other = opened(PythonServer.VLLM.with("not_harmony").start());
        var engine = engine(TestOptions.of(new VllmDialect(), List.of(other.address())));

        await(() -> says(
                engine,
                "0 of 1 servers are well; left out: " + other.address()
                        + " has a model that is not gpt-oss: Harmony's marks are no tokens of it; worker.engine=chat"
                        + " serves such models"));
    }

    private RemoteEngine engine(ServerDialect dialect, String model, @Nullable String key) {
        return engine(TestOptions.of(dialect, List.of(server.address())).withNames(model, key));
    }
}
