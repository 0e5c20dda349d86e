package dev.counterpoint.engine.remote;

import static dev.counterpoint.engine.testkit.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.EngineNotice.Code;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.testkit.FakeHttpServer;
import dev.counterpoint.engine.testkit.GenerationPull;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of servers that are set up wrongly, and what is said of them.
@Timeout(240)
class MisconfiguredServersTest extends WithServers {
    /// A kind of server.
    ///
    /// @param flagged one that was started with other flags than the engine wants, or is of another kind
    /// @param saidOfFlagged what is said of that
    private record Kind(
            String name,
            Supplier<ServerDialect> dialect,
            Supplier<? extends FakeInference> good,
            Supplier<? extends FakeInference> flagged,
            String saidOfFlagged) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// A fault that any kind may have.
    ///
    /// @param key that the engine sends
    private record Fault(String name, @Nullable String key, UnaryOperator<FakeInference> seeded, String said) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Kind> kinds() {
        return List.of(
                new Kind(
                        "vllm",
                        () -> VllmDialect.COMPLETIONS,
                        FakeVllm::completions,
                        FakeVllm::embedding,
                        "has no /v1/completions (HTTP 404): start a vLLM that generates, without --runner pooling"),
                new Kind(
                        "vllm-tokens",
                        () -> VllmDialect.TOKENS,
                        FakeVllm::tokens,
                        MisconfiguredServersTest::closed,
                        "keeps /inference/v1/generate closed (HTTP 403): start it with --enable-scale-out,"
                                + " or take worker.engine=vllm"),
                new Kind(
                        "sglang",
                        SglangDialect::new,
                        () -> new FakeSglang(FakeSglang.Streaming.INCREMENTAL),
                        FakeVllm::completions,
                        "is vLLM and not SGLang: take worker.engine=vllm"),
                new Kind(
                        "llama-server",
                        () -> new LlamaServerDialect(false),
                        FakeLlamaServer::new,
                        FakeVllm::completions,
                        "is vLLM and not llama-server: take worker.engine=vllm"));
    }

    private static FakeVllm closed() {
        var server = FakeVllm.tokens();
        server.closeTokens(true);
        return server;
    }

    private static List<Fault> faults() {
        return List.of(
                new Fault(
                        "wrong model",
                        null,
                        server -> {
                            server.serves("meta-llama/Llama-3.1-8B");
                            return server;
                        },
                        "serves meta-llama/Llama-3.1-8B and not openai/gpt-oss-20b, the name in"
                                + " worker.remote.upstream-model"),
                new Fault(
                        "key missing",
                        null,
                        MisconfiguredServersTest::wantingKey,
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                new Fault(
                        "wrong key",
                        "wrong",
                        MisconfiguredServersTest::wantingKey,
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"),
                new Fault(
                        "not Harmony",
                        null,
                        server -> {
                            server.isNotHarmony();
                            return server;
                        },
                        "has a model that is not gpt-oss: Harmony's marks are no tokens of it; worker.engine=chat"
                                + " serves such models"));
    }

    private static FakeInference wantingKey(FakeInference server) {
        server.wantsKey("right");
        return server;
    }

    static Stream<Arguments> faultsOfKinds() {
        return kinds().stream().flatMap(kind -> faults().stream().map(fault -> Arguments.of(kind, fault)));
    }

    static Stream<Kind> everyKind() {
        return kinds().stream();
    }

    private RemoteEngine engine(Kind kind, @Nullable String key, List<FakeInference> servers) {
        var options = TestOptions.of(kind.dialect.get(), servers.toArray(FakeInference[]::new));
        return engine(options.withNames(FakeInference.MODEL, key));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("faultsOfKinds")
    void oneIsLeftOutByNameAndTheOthersServe(Kind kind, Fault fault) throws InterruptedException {
        FakeInference good = opened(kind.good.get());
        var bad = opened(fault.seeded.apply(kind.good.get()));

        servesWithout(bad, fault.said, engine(kind, fault.key, List.of(good, bad)));
    }

    @ParameterizedTest(name = "{0}: wrong flag")
    @MethodSource("everyKind")
    void oneWithAWrongFlagIsLeftOutByNameAndTheOthersServe(Kind kind) throws InterruptedException {
        FakeInference good = opened(kind.good.get());
        FakeInference bad = opened(kind.flagged.get());

        servesWithout(bad, kind.saidOfFlagged, engine(kind, null, List.of(good, bad)));
    }

    private static void servesWithout(FakeInference bad, String said, RemoteEngine engine) throws InterruptedException {
        await(() -> says(engine, "1 of 2 servers are well; left out: " + bad.address() + " " + said));
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.READY);
        assertThat(engine.describe().text())
                .endsWith("; 1 of 2 servers left out, because one " + said)
                .doesNotContain("127.0.0.1");
        assertThat(engine.notices()).containsExactly(new EngineNotice(Code.UNFIT, bad.address() + " " + said));
        for (int i = 0; i < 8; i++) {
            assertThat(GenerationPull.all(engine, request("tenant-" + i, 2)).reason())
                    .isEqualTo(StopReason.LENGTH);
        }
        assertThat(bad.requests()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyKind")
    void whereAllAreMisconfiguredNoJobIsTakenAndEachReasonIsSaid(Kind kind) {
        // Given
        var faults = faults().stream().filter(fault -> fault.key == null).toList();
        var servers = Stream.concat(
                        Stream.<FakeInference>of(kind.flagged.get()),
                        faults.stream().map(fault -> fault.seeded.apply(kind.good.get())))
                .map(this::opened)
                .toList();
        var said = Stream.concat(Stream.of(kind.saidOfFlagged), faults.stream().map(fault -> fault.said))
                .toList();
        // When
        var engine = engine(kind, null, servers);
        // Then
        var each = IntStream.range(0, servers.size())
                .mapToObj(i -> servers.get(i).address() + " " + said.get(i))
                .collect(Collectors.joining("; "));
        await(() -> says(engine, "0 of 4 servers are well; left out: " + each));
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        assertThat(engine.health().freeSlots()).isZero();
        assertThat(engine.describe().text())
                .endsWith("; 4 of 4 servers left out, because one " + String.join("; one ", said));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("everyKind")
    void aSmallContextIsTakenAndToldWithBothFigures(Kind kind) {
        // Given
        FakeInference good = opened(kind.good.get());
        FakeInference small = opened(kind.good.get());
        small.hasContext(200);
        // When
        var engine = engine(kind, null, List.of(good, small));
        await(() -> says(engine, "2 of 2 servers are well"));
        // Then: SGLang keeps places free
        int told = kind.name.equals("sglang") ? 194 : 200;
        assertThat(engine.describe().contextLength()).isEqualTo(told);
        assertThat(engine.describe().text())
                .endsWith("; context of " + told + " tokens by a server, 640 by worker.remote.context-length");
        assertThat(engine.notices())
                .containsExactly(new EngineNotice(
                        Code.CONTEXT,
                        "context of " + told + " tokens by a server, 640 by worker.remote.context-length"));
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() {
        // Given
        FakeInference good = opened(kinds().getFirst().good.get());
        var silent = new FakeHttpServer(exchange -> exchange.answer(200, "{}"));
        silent.close();
        // When
        var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, List.of(good.address(), silent.address())));
        // Then
        var notice = new EngineNotice(Code.SILENT, silent.address() + " does not answer");
        await(() -> engine.notices().equals(List.of(notice)));
    }

    /// As a proxy before it does.
    @Test
    void aKeyThatItsHealthAsksForIsToldOf() {
        try (var proxy = new FakeHttpServer(exchange -> exchange.answer(403, "{}"))) {
            var engine = engine(TestOptions.of(VllmDialect.COMPLETIONS, List.of(proxy.address())));

            await(() -> says(
                    engine,
                    "0 of 1 servers are well; left out: " + proxy.address()
                            + " wants a key, and worker.remote.api-key is not set (HTTP 403)"));
        }
    }

    @Test
    void oneThatDoesNotSayItsKindIsToldOfByWhatItLacks() {
        try (var other = new FakeHttpServer(
                exchange -> exchange.answer(exchange.target().equals("GET /health") ? 200 : 404, "{}"))) {
            var engine = engine(TestOptions.of(new SglangDialect(), List.of(other.address())));

            await(() -> says(
                    engine,
                    "0 of 1 servers are well; left out: " + other.address()
                            + " does not serve as SGLang does: /generate fails, the server answered with HTTP 404"));
        }
    }
}
