package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.RequestVariants;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A real server that wants a key, asked by engines that are set up for another one.
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MisconfiguredPythonServerTest extends WithServers {
    private static final String KEY = "right";

    private final PythonServer.Kind kind;
    private final ServerDialect dialect;
    private @Nullable PythonServer server;

    /// @param dialect of such servers
    MisconfiguredPythonServerTest(PythonServer.Kind kind, ServerDialect dialect) {
        this.kind = kind;
        this.dialect = dialect;
    }

    /// What is said where the engine is set up for another kind of server.
    protected abstract Stream<SaidByDialect> otherKinds();

    protected record SaidByDialect(ServerDialect dialect, String said) {}

    @BeforeAll
    @Timeout(9000)
    void start() throws IOException, InterruptedException {
        server = kind.start("--api-key", KEY);
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void theRightKeyOpensIt() throws InterruptedException {
        var engine = ready(engine(withKey(dialect, PythonServer.MODEL, KEY)));

        saysAFewTokens(engine);
    }

    /// Dialect, model and key of the engine, and what is said.
    Stream<Arguments> mistakes() {
        var own = Stream.of(
                Arguments.of(
                        dialect,
                        PythonServer.MODEL,
                        null,
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                Arguments.of(
                        dialect,
                        PythonServer.MODEL,
                        "wrong",
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"),
                Arguments.of(
                        dialect,
                        "openai/gpt-oss-20b",
                        KEY,
                        "serves made-up and not openai/gpt-oss-20b, the name in worker.remote.upstream-model"));
        return Stream.concat(
                own, otherKinds().map(other -> Arguments.of(other.dialect, PythonServer.MODEL, KEY, other.said)));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void itIsLeftOutByName(ServerDialect asked, String model, @Nullable String key, String said) {
        var engine = engine(withKey(asked, model, key));

        await(() -> says(engine, "0 of 1 servers are well; left out: " + server().address() + " " + said));
        assertThat(engine.describe().text()).endsWith("; 1 of 1 servers left out, because one " + said);
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
    }

    @Test
    @Timeout(1800)
    void oneWhoseModelIsNotHarmonyIsLeftOutByName() throws IOException, InterruptedException {
        var other = opened(kind.withModel("not_harmony").start());
        var engine = engine(TestOptions.of(dialect, List.of(other.address())));

        await(() -> says(
                engine,
                "0 of 1 servers are well; left out: " + other.address()
                        + " has a model that is not gpt-oss: Harmony's marks are no tokens of it; worker.engine=chat"
                        + " serves such models"));
    }

    protected static RemoteEngine ready(RemoteEngine engine) {
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        return engine;
    }

    protected static void saysAFewTokens(RemoteEngine engine) throws InterruptedException {
        var request = RequestVariants.sampled(request("", 8), Sampling.GREEDY);

        assertThat(GenerationPull.all(engine, request).reason()).isEqualTo(StopReason.LENGTH);
    }

    private TestOptions withKey(ServerDialect asked, String model, @Nullable String key) {
        return TestOptions.of(asked, List.of(server().address())).withNames(model, key);
    }

    private PythonServer server() {
        return Objects.requireNonNull(server);
    }
}
