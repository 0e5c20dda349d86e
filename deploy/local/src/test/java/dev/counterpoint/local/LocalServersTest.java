package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.FreePort;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalServersTest {
    /// More than `up` takes: this machine may be busy.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Options PLAIN = Options.parse();
    private final List<StandInServer> servers = new ArrayList<>();

    @AfterEach
    void stop() {
        servers.forEach(StandInServer::close);
    }

    private StandInServer with(StandInServer server) {
        servers.add(server);
        return server;
    }

    private LocalServers look() {
        return LocalServers.look(servers.stream().map(StandInServer::address).toList(), PATIENCE);
    }

    @Test
    void tellsEachKindApartByWhatItAnswersAndPrintsTheCommand() {
        // Given
        var vllm = with(StandInServer.vllm("openai/gpt-oss-20b", "openai/gpt-oss-20b"));
        var sglang = with(StandInServer.sglang("openai/gpt-oss-120b"));
        var llama = with(StandInServer.llamaServer("mine.gguf", "{{ '<|channel|>analysis<|message|>' }}"));
        var studio = with(StandInServer.studio("openai/gpt-oss-20b", "gpt-oss"));
        var ollama = with(StandInServer.ollama("qwen3:8b", "gpt-oss:20b"));
        // When
        var text = look().text(PLAIN, 8080);
        // Then
        assertThat(text)
                .contains("vLLM 0.32.0 at " + vllm.address() + ": openai/gpt-oss-20b\n")
                .contains("up --engine vllm --engine-url " + vllm.address() + " --model-name openai/gpt-oss-20b\n")
                .contains("SGLang 0.5.3 at " + sglang.address())
                .contains("up --engine sglang --engine-url " + sglang.address() + " --model-name openai/gpt-oss-120b\n")
                .contains("llama-server b6710-74b8fc17 at " + llama.address() + ": mine.gguf\n")
                .contains("up --engine llama-server --engine-url " + llama.address() + " --model-name mine.gguf\n")
                .contains("LM Studio at " + studio.address() + ": openai/gpt-oss-20b\n")
                .contains("up --engine chat --engine-url " + studio.address() + " --model-name openai/gpt-oss-20b\n")
                .contains("Ollama 0.12.3 at " + ollama.address() + ": gpt-oss:20b, qwen3:8b\n")
                .contains("up --engine chat --engine-url " + ollama.address()
                        + " --model-name gpt-oss-20b --upstream-model gpt-oss:20b\n");
    }

    /// The command is for this program.
    @Test
    void printsOptionsThatItTakesItself() {
        with(StandInServer.ollama("gpt-oss:20b"));
        with(StandInServer.vllm("m", "Qwen/Qwen3-8B"));

        for (var server : look().found()) {
            var parsed = Options.parse(server.arguments().split(" "));

            assertThat(parsed.engine()).isEqualTo(server.engine());
            assertThat(parsed.engineUrl()).contains(server.address().toString());
            assertThat(parsed.upstreamModel().or(parsed::modelName))
                    .contains(server.models().getFirst().model());
        }
    }

    @Test
    void autoTakesOneThatServesGptOssThoseFirstThatTakeTokens() {
        // Given
        with(StandInServer.ollama("gpt-oss:20b"));
        with(StandInServer.vllm("qwen", "Qwen/Qwen3-8B"));
        var sglang = with(StandInServer.sglang("openai/gpt-oss-20b"));
        // When
        var taken = chosen();
        // Then
        assertThat(taken.engine()).isEqualTo("sglang");
        assertThat(taken.engineUrl()).contains(sglang.address().toString());
    }

    @Test
    void autoTakesOllamaWhereNobodyElseServesGptOss() {
        with(StandInServer.vllm("qwen", "Qwen/Qwen3-8B"));
        assertThat(look().forAuto()).isEmpty();

        with(StandInServer.ollama("llama3.2:latest", "gpt-oss:20b"));
        var taken = chosen();
        assertThat(taken.engine()).isEqualTo("chat");
        assertThat(taken.modelName()).contains("gpt-oss-20b");
        assertThat(taken.upstreamModel()).contains("gpt-oss:20b");
    }

    private Options chosen() {
        return Options.parse(look().forAuto().orElseThrow().arguments().split(" "));
    }

    @Test
    void neverTakesAGatewayOfOurs() {
        with(StandInServer.counterpoint(true));
        with(StandInServer.counterpoint(false));

        assertThat(look()).isEqualTo(LocalServers.NONE);
    }

    @Test
    void offersNoModelThatMakesNoTextAndNoneThatAShellWouldRun() {
        with(StandInServer.ollama("nomic-embed-text:latest"));
        with(StandInServer.vllm("x; rm -rf ~", "x"));
        with(StandInServer.vllm("$(id)", "x"));

        assertThat(look().text(PLAIN, 8080)).isEmpty();
    }

    @Test
    void namesAModelWithoutItsEmptyTag() {
        with(StandInServer.ollama("llama3.2:latest"));

        assertThat(look().found().getFirst().arguments())
                .endsWith("--model-name llama3.2 --upstream-model llama3.2:latest");
    }

    @Test
    void saysWhoHasThePortAndNamesAnother() {
        var llama = with(StandInServer.llamaServer("mine.gguf", ""));

        assertThat(look().at(llama.port()).orElseThrow()).startsWith("llama-server b6710");
        assertThat(look().at(1)).isEmpty();
        assertThat(look().text(PLAIN, 8081)).contains("--model-name mine.gguf --port 8081\n");
        assertThat(look().text(PLAIN, PLAIN.port())).contains("--model-name mine.gguf\n");
    }

    @Test
    void waitsForNobody() throws Exception {
        // Given: nobody; who takes connections and says nothing; and one that answers
        var places = Stream.concat(
                        Stream.of(URI.create("http://127.0.0.1:" + FreePort.find())),
                        Stream.of(with(StandInServer.silent()), with(StandInServer.vllm("m", "m")))
                                .map(StandInServer::address))
                .toList();
        LocalServers.look(places, LocalServers.TIME_MAX); // the classes
        // When
        var most = Duration.ofSeconds(3);
        long begin = System.nanoTime();
        var found = LocalServers.look(places, most).found();
        var took = Duration.ofNanos(System.nanoTime() - begin);
        // Then
        assertThat(found).extracting(LocalServer::address).containsExactly(places.getLast());
        assertThat(took).isLessThan(most.plusSeconds(4));
        assertThat(LocalServers.TIME_MAX).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void looksOnThisMachineOnly() {
        assertThat(LocalServers.USUAL)
                .hasSize(5)
                .allSatisfy(place -> assertThat(place.getHost()).isEqualTo("127.0.0.1"));
        assertThat(LocalServers.USUAL)
                .extracting(URI::getPort)
                .containsExactlyInAnyOrder(11_434, 8000, 30_000, 8080, 1234);
    }
}
