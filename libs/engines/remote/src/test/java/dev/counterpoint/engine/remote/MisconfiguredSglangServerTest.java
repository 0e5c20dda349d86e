package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import dev.counterpoint.engine.testkit.SchemaAnswers;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A real SGLang that wants a key, asked by engines that are set up for another one.
@EnabledIfSystemProperty(named = "sglang", matches = "required", disabledReason = "ask for it by -Psglang")
@Timeout(600)
class MisconfiguredSglangServerTest extends WithServers {
    private static final String KEY = "right";

    private static PythonServer server;

    @BeforeAll
    @Timeout(9000)
    static void start() throws IOException, InterruptedException {
        server = PythonServer.SGLANG.start("--api-key", KEY);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theRightKeyOpensIt() throws InterruptedException {
        var engine = engine(new SglangDialect(), PythonServer.MODEL, KEY);
        await(() -> engine.health().status() == EngineHealth.Status.READY);

        saysAFewTokens(engine);
    }

    /// Dialect, model and key of the engine, and what is said.
    static List<Arguments> mistakes() {
        return List.of(
                Arguments.of(
                        new SglangDialect(),
                        PythonServer.MODEL,
                        null,
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                Arguments.of(
                        new SglangDialect(),
                        PythonServer.MODEL,
                        "wrong",
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"),
                Arguments.of(
                        new SglangDialect(),
                        "openai/gpt-oss-20b",
                        KEY,
                        "serves made-up and not openai/gpt-oss-20b, the name in worker.remote.upstream-model"),
                Arguments.of(
                        new VllmDialect(),
                        PythonServer.MODEL,
                        KEY,
                        "is SGLang and not vLLM: take worker.engine=sglang"),
                Arguments.of(
                        new VllmTokensDialect(),
                        PythonServer.MODEL,
                        KEY,
                        "is SGLang and not vLLM: take worker.engine=sglang"),
                Arguments.of(
                        new LlamaServerDialect(false),
                        PythonServer.MODEL,
                        KEY,
                        "is SGLang and not llama-server: take worker.engine=sglang"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void itIsLeftOutByName(ServerDialect dialect, String model, @Nullable String key, String said) {
        var engine = engine(dialect, model, key);

        await(() -> says(engine, "0 of 1 servers are well; left out: " + server.address() + " " + said));
        assertThat(engine.describe().text()).endsWith("; 1 of 1 servers left out, because one " + said);
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
    }

    static Stream<List<String>> withoutGrammars() {
        return Stream.of(List.of("--skip-tokenizer-init"), List.of("--grammar-backend", "none"));
    }

    @ParameterizedTest
    @MethodSource("withoutGrammars")
    @Timeout(1800)
    void oneWithoutGrammarsServesAndIsSaidToHoldNothingToASchema(List<String> arguments)
            throws IOException, InterruptedException {
        var free = opened(PythonServer.SGLANG.start(arguments.toArray(String[]::new)));
        var engine = engine(TestOptions.of(new SglangDialect(), List.of(free.address())));
        await(() -> engine.health().status() == EngineHealth.Status.READY);

        assertThat(engine.describe().text())
                .isEqualTo("gpt-oss-20b by SGLang 0.5.23; holds nothing to a schema: start it without"
                        + " --skip-tokenizer-init and --grammar-backend none");
        saysAFewTokens(engine);
        assertThat(SchemaAnswers.of(engine, 2)).isEqualTo(new SchemaAnswers(0, 2, 0));
    }

    @Test
    @Timeout(1800)
    void oneWhoseModelIsNotHarmonyIsLeftOutByName() throws IOException, InterruptedException {
        var other = opened(PythonServer.SGLANG.with("not_harmony").start());
        var engine = engine(TestOptions.of(new SglangDialect(), List.of(other.address())));

        await(() -> says(
                engine,
                "0 of 1 servers are well; left out: " + other.address()
                        + " has a model that is not gpt-oss: Harmony's marks are no tokens of it; worker.engine=chat"
                        + " serves such models"));
    }

    private void saysAFewTokens(RemoteEngine engine) throws InterruptedException {
        var request = RequestVariants.sampled(request("", 8), Sampling.GREEDY);

        assertThat(GenerationPull.all(engine, request).reason()).isEqualTo(StopReason.LENGTH);
    }

    private RemoteEngine engine(ServerDialect dialect, String model, @Nullable String key) {
        return engine(TestOptions.of(dialect, List.of(server.address())).withNames(model, key));
    }
}
