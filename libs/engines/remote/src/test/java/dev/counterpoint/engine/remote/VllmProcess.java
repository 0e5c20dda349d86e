package dev.counterpoint.engine.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A real vLLM 0.32.0 on the CPU, with a model of the gpt-oss architecture whose weights are made up. It is
/// installed the first time: `src/test/vllm/install`.
final class VllmProcess implements AutoCloseable {
    static final int CONTEXT_LENGTH = 640;
    static final String MODEL = "made-up";

    private static final Path HOME =
            Path.of(System.getProperty("vllm.home", System.getProperty("user.home") + "/.cache/counterpoint/vllm"));
    private static final Path SCRIPTS = Path.of("src/test/vllm").toAbsolutePath();
    private static final String RANKS = "/com/knuddels/jtokkit/o200k_base.tiktoken";
    private static final Duration START_MAX = Duration.ofMinutes(20);
    private static final long INSTALL_MINUTES_MAX = 120;

    private final Process process;
    private final URI address;

    private VllmProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /// Returns once it is well.
    ///
    /// @param more arguments
    static VllmProcess start(String... more) throws IOException, InterruptedException {
        await(new ProcessBuilder(SCRIPTS.resolve("install").toString(), HOME.toString()), "vllm-install.log");
        var model = model();
        int port = freePort();
        var command = new ArrayList<>(List.of(
                python(),
                "-m",
                "vllm.entrypoints.cli.main",
                "serve",
                model.toString(),
                "--served-model-name",
                MODEL,
                "--dtype",
                "float32",
                "--max-model-len",
                String.valueOf(CONTEXT_LENGTH),
                "--max-num-seqs",
                "8",
                "--enforce-eager",
                "--enable-prompt-tokens-details",
                "--host",
                "127.0.0.1",
                "--port",
                String.valueOf(port)));
        command.addAll(List.of(more));
        var builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(Map.of(
                        "VLLM_CPU_KVCACHE_SPACE", "1",
                        "VLLM_CPU_OMP_THREADS_BIND", "nobind",
                        "OMP_NUM_THREADS", "1",
                        "HF_HUB_OFFLINE", "1",
                        "VLLM_NO_USAGE_STATS", "1"));
        var server = new VllmProcess(run(builder, "vllm.log"), URI.create("http://127.0.0.1:" + port));
        try {
            server.awaitWell();
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static Path model() throws IOException, InterruptedException {
        var folder = HOME.resolve("made-up-gpt-oss-2");
        if (!Files.exists(folder.resolve("generation_config.json"))) {
            var ranks = HOME.resolve("o200k_base.tiktoken");
            try (var in = Objects.requireNonNull(HarmonyTokenizer.class.getResourceAsStream(RANKS), RANKS)) {
                Files.copy(in, ranks, StandardCopyOption.REPLACE_EXISTING);
            }
            await(
                    new ProcessBuilder(
                            python(), SCRIPTS.resolve("model.py").toString(), folder.toString(), ranks.toString()),
                    "vllm-model.log");
        }
        return folder;
    }

    private static String python() {
        return HOME.resolve("venv/bin/python").toString();
    }

    private void awaitWell() throws IOException, InterruptedException {
        long end = System.nanoTime() + START_MAX.toNanos();
        try (var client = HttpClient.newHttpClient()) {
            while (!isWell(client)) {
                assertThat(process.isAlive()).as("see target/vllm.log").isTrue();
                assertThat(System.nanoTime() - end).as("see target/vllm.log").isNegative();
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            }
        }
    }

    private boolean isWell(HttpClient client) throws IOException, InterruptedException {
        try {
            var request = HttpRequest.newBuilder(address.resolve("/health")).build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (ConnectException e) {
            return false;
        }
    }

    private static void await(ProcessBuilder command, String log) throws IOException, InterruptedException {
        var process = run(command, log);
        assertThat(process.waitFor(INSTALL_MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("see target/" + log).isZero();
    }

    private static Process run(ProcessBuilder command, String log) throws IOException {
        return command.redirectErrorStream(true)
                .redirectOutput(Path.of("target", log).toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    URI address() {
        return address;
    }

    /// Its engine runs in a process of its own.
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
