package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutomaticEngineTest {
    private static final String NONE = "No server with gpt-oss was found on this machine: taking ";

    @TempDir
    Path folder;

    @Test
    void takesAServerWithGptOssAndDownloadsNothing() {
        try (var vllm = StandInServer.vllm("openai/gpt-oss-20b", "openai/gpt-oss-20b")) {
            var engine = AutomaticEngine.choose(look(vllm), () -> {
                throw new AssertionError("a download");
            });

            assertThat(options(engine).engine()).isEqualTo("vllm");
            assertThat(options(engine).engineUrl()).contains(vllm.address().toString());
            assertThat(engine.text())
                    .isEqualTo("Found vLLM 0.32.0 at " + vllm.address()
                            + ": openai/gpt-oss-20b; taking it by --engine vllm");
        }
    }

    @Test
    void takesTheDemonstrationModelWhereOnlyOtherModelsAreServed() throws IOException {
        var file = Files.createFile(folder.resolve("a model.gguf"));
        try (var vllm = StandInServer.vllm("qwen", "Qwen/Qwen3-8B")) {
            var engine = AutomaticEngine.choose(look(vllm), () -> file);

            assertThat(options(engine).engine()).isEqualTo("llama");
            assertThat(options(engine).model()).contains(file);
            assertThat(options(engine).servedModel()).isEqualTo("smollm2-135m-instruct");
            assertThat(engine.text())
                    .isEqualTo(NONE + "SmolLM2-135M-Instruct, a small demonstration model on the CPU; not gpt-oss");
        }
    }

    @Test
    void takesTheStandInWhereTheModelCannotBeHadAndSaysWhyInALine() {
        var engine = AutomaticEngine.choose(LocalServers.NONE, () -> {
            throw new IOException("no network");
        });

        assertThat(options(engine).engine()).isEqualTo("simulated");
        assertThat(options(engine).servedModel()).isEqualTo("counterpoint-simulated");
        assertThat(engine.text()).isEqualTo(NONE + "simulated, a stand-in without a model: no network");
    }

    /// As `up` has them after what it was asked for.
    private static Options options(AutomaticEngine engine) {
        return Options.parse(Stream.concat(Stream.of("--engine", "auto"), engine.arguments().stream())
                .toArray(String[]::new));
    }

    private static LocalServers look(StandInServer server) {
        return LocalServers.look(List.of(server.address()), Duration.ofSeconds(20));
    }
}
