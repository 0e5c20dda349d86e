package dev.counterpoint.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.EngineNotice;
import dev.counterpoint.engine.http.UpstreamAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of servers of Chat Completions that are set up wrongly, and what is said of them.
@Timeout(60)
class MisconfiguredChatServersTest extends WithModelServer {
    private static final String CHAT = "POST /v1/chat/completions";
    private static final String LIST = "GET /v1/models";
    private static final String NO_PATH = ": worker.engine=chat is for servers of Chat Completions";
    private static final String SETTING = ", the name in worker.remote.upstream-model";

    /// @param key that the engine sends
    private record Fault(String name, @Nullable String key, UnaryOperator<FakeModelServer> seeded, String said) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Fault> faults() {
        return Stream.of(
                new Fault(
                        "wrong flag, vLLM with --runner pooling",
                        null,
                        fake -> fake.vllm("mine", "org/model").refuse(CHAT, 404, "{'detail':'Not Found'}"),
                        "has no /v1/chat/completions (HTTP 404)" + NO_PATH),
                new Fault(
                        "wrong flag, llama-server with --embeddings",
                        null,
                        fake -> fake.llamaServer("mine", "").refuse(CHAT, 501, "{'error':{'code':501}}"),
                        "has no /v1/chat/completions (HTTP 501)" + NO_PATH),
                new Fault(
                        "wrong model, by the list",
                        null,
                        fake -> fake.llamaServer("other", ""),
                        "serves other and not mine" + SETTING),
                new Fault(
                        "wrong model, by a provider's refusal",
                        null,
                        fake -> fake.hosted("org/other")
                                .refuse(CHAT, 400, "{'error':{'message':'mine is not a valid model ID'}}"),
                        "serves org/other and not mine" + SETTING),
                new Fault(
                        "wrong model, without a list",
                        null,
                        fake -> fake.page(LIST, "{'object':'list','data':[]}")
                                .refuse(CHAT, 404, "{'error':{'message':'The model `mine` does not exist.'}}"),
                        "does not serve mine" + SETTING + " (HTTP 404)"),
                new Fault(
                        "key missing",
                        null,
                        fake -> fake.vllm("mine", "org/model").wantsKey("right", ""),
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                new Fault(
                        "key missing, with an open list as llama-server's",
                        null,
                        fake -> fake.llamaServer("mine", "").wantsKey("right", LIST),
                        "wants a key, and worker.remote.api-key is not set (HTTP 401)"),
                new Fault(
                        "wrong key",
                        "wrong",
                        fake -> fake.vllm("mine", "org/model").wantsKey("right", ""),
                        "wants another key than the one of worker.remote.api-key (HTTP 401)"));
    }

    private FakeModelServer seeded(Fault fault) {
        var bad = new FakeModelServer();
        open.add(bad);
        return fault.seeded.apply(bad);
    }

    private ChatEngine engine(@Nullable String key, int contextLength, List<FakeModelServer> servers) {
        var times = new UpstreamAccess.Timeouts(
                Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofMillis(100));
        var addresses = servers.stream().map(FakeModelServer::address).toList();
        var access = new UpstreamAccess(addresses, key, times, ChatEngine.HEALTH_PATH);
        var engine = new ChatEngine(new ChatOptions("m", "mine", access, 4, contextLength, List.of(), QUICK, null));
        open.add(engine);
        return engine;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void oneIsLeftOutByNameAndTheOthersServe(Fault fault) {
        // Given
        server.vllm("mine", "org/unheard-of");
        var bad = seeded(fault);
        // When
        var engine = engine(fault.key, 4096, List.of(server, bad));
        // Then
        await(() -> engine.health()
                .detail()
                .equals("1 of 2 servers are well; left out: " + bad.address() + " " + fault.said));
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        await(() -> engine.describe().text().startsWith("vLLM 0.11.0, mine"));
        assertThat(engine.describe().text())
                .startsWith("vLLM 0.11.0, mine")
                .endsWith("; 1 of 2 servers left out, because one " + fault.said)
                .doesNotContain("servers differ", "127.0.0.1");
        assertThat(engine.notices())
                .contains(new EngineNotice(EngineNotice.Code.UNFIT, bad.address() + " " + fault.said));
        assertThat(bad.requests()).as("requests to its model").isEmpty();
    }

    @Test
    void whereAllAreMisconfiguredNoJobIsTakenAndEachReasonIsSaid() {
        // Given
        var faults = faults().filter(fault -> fault.key == null).limit(5).toList();
        var servers = new ArrayList<FakeModelServer>();
        faults.forEach(fault -> servers.add(seeded(fault)));
        // When
        var engine = engine(null, 4096, servers);
        // Then
        await(() -> engine.describe().text().contains("5 of 5 servers left out"));
        assertThat(engine.health().status()).isEqualTo(EngineHealth.Status.STARTING);
        assertThat(engine.health().detail())
                .startsWith("0 of 5 servers are well")
                .contains(faults.stream().map(Fault::said).toList());
        assertThat(engine.describe().text())
                .isEqualTo("mine; 5 of 5 servers left out, because one "
                        + String.join("; one ", faults.stream().map(Fault::said).toList()));
    }

    @Test
    void oneThatIsMendedServes() {
        // Given
        server.vllm("other", "org/model");
        var engine = engine(null, 4096, List.of(server));
        await(() -> engine.describe()
                .text()
                .equals("mine; 1 of 1 servers left out, because one serves other and not" + " mine" + SETTING));
        // When
        server.vllm("mine", "org/model");
        // Then
        await(() -> engine.health().status() == EngineHealth.Status.READY);
        await(() -> engine.describe().text().startsWith("vLLM 0.11.0, mine"));
        assertThat(engine.describe().text()).doesNotContain("left out");
    }

    /// Providers take names that are in no list, such as variants of a model.
    @Test
    void oneThatTakesANameWhichItDoesNotListServes() {
        server.hosted("org/other");

        var engine = engine(null, 4096, List.of(server));

        await(() -> engine.health().status() == EngineHealth.Status.READY);
        assertThat(engine.describe().text()).doesNotContain("left out");
    }

    @Test
    void aServerThatWouldHaveToLoadTheModelIsNotAskedForAToken() {
        server.ollama("mine", "qwen3", "").refuse(CHAT, 404, "{}");

        var engine = engine(null, 4096, List.of(server));

        await(() -> engine.health().status() == EngineHealth.Status.READY);
        assertThat(engine.describe().text()).doesNotContain("left out");
    }

    @Test
    void aSmallContextIsTakenAndToldWithBothFigures() {
        var llama = new FakeModelServer();
        open.add(llama);
        server.vllm("mine", "org/model")
                .page("GET /v1/models", "{'data':[{'id':'mine','owned_by':'vllm'," + "'max_model_len':131072}]}");
        llama.llamaServer("mine", "");

        var engine = engine(null, 131_072, List.of(server, llama));

        await(() -> engine.health().detail().equals("2 of 2 servers are well"));
        assertThat(engine.describe().contextLength()).isEqualTo(4096);
        assertThat(engine.describe().text())
                .contains("; context of 4096 tokens by a server, 131072 by worker.remote.context-length");
        assertThat(engine.notices())
                .contains(new EngineNotice(
                        EngineNotice.Code.CONTEXT,
                        "context of 4096 tokens by a server, 131072 by worker.remote.context-length"));
    }
}
