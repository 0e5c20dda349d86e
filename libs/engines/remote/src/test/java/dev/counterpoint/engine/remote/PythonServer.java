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

/// A real server of models that is written in Python, with a model whose weights are made up. Server and model are
/// made the first time, by the scripts of `src/test/servers`.
final class PythonServer implements AutoCloseable {
    /// Of the context of each, in tokens.
    static final int CONTEXT_LENGTH = 640;
    static final String MODEL = "made-up";

    /// vLLM 0.32.0 for the CPU.
    static final Kind VLLM = new Kind(
            "vllm",
            "gpt_oss",
            List.of("-m", "vllm.entrypoints.cli.main", "serve"),
            List.of(
                    "--served-model-name",
                    MODEL,
                    "--dtype",
                    "float32",
                    "--max-model-len",
                    String.valueOf(CONTEXT_LENGTH),
                    "--max-num-seqs",
                    "8",
                    "--enforce-eager",
                    "--enable-prompt-tokens-details"),
            Map.of(
                    "VLLM_CPU_KVCACHE_SPACE", "1",
                    "VLLM_CPU_OMP_THREADS_BIND", "nobind",
                    "OMP_NUM_THREADS", "1",
                    "HF_HUB_OFFLINE", "1",
                    "VLLM_NO_USAGE_STATS", "1"));

    /// SGLang 0.5.23 in plain torch. It computes gpt-oss on GPUs only, so the model is a Llama with gpt-oss's tokens.
    static final Kind SGLANG = new Kind(
            "sglang",
            "llama",
            List.of("-m", "sglang.launch_server", "--model-path"),
            List.of(
                    "--served-model-name",
                    MODEL,
                    "--device",
                    "cpu",
                    "--dtype",
                    "float32",
                    "--attention-backend",
                    "torch_native",
                    "--sampling-backend",
                    "pytorch",
                    "--disable-overlap-schedule",
                    "--mem-fraction-static",
                    "0.3",
                    "--max-total-tokens",
                    "8192",
                    "--context-length",
                    String.valueOf(CONTEXT_LENGTH),
                    "--max-running-requests",
                    "8",
                    "--incremental-streaming-output",
                    "--enable-priority-scheduling",
                    "--enable-metrics",
                    "--skip-server-warmup"),
            Map.of(
                    "SGLANG_USE_CPU_ENGINE", "1",
                    "OMP_NUM_THREADS", "1",
                    "HF_HUB_OFFLINE", "1",
                    "TORCHDYNAMO_DISABLE", "1",
                    "CUDA_VISIBLE_DEVICES", ""));

    private static final Path SCRIPTS = Path.of("src/test/servers").toAbsolutePath();
    private static final String RANKS = "/com/knuddels/jtokkit/o200k_base.tiktoken";
    private static final Duration START_MAX = Duration.ofMinutes(20);
    private static final long INSTALL_MINUTES_MAX = 120;

    private final Process process;
    private final URI address;

    private PythonServer(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /// A kind of server.
    ///
    /// @param name of its script to install, and of its home below `~/.cache/counterpoint`
    /// @param architecture of its model, as `model.py` calls it
    /// @param module arguments of Python before that folder
    /// @param options after it
    record Kind(
            String name,
            String architecture,
            List<String> module,
            List<String> options,
            Map<String, String> environment) {
        private Path home() {
            var cache = System.getProperty("user.home") + "/.cache/counterpoint/" + name;
            return Path.of(System.getProperty(name + ".home", cache));
        }

        private String python() {
            return home().resolve("venv/bin/python").toString();
        }

        /// One with another model, as `model.py` calls its architecture.
        Kind withModel(String otherArchitecture) {
            return new Kind(name, otherArchitecture, module, options, environment);
        }

        /// Returns once it is well.
        PythonServer start(String... more) throws IOException, InterruptedException {
            await(List.of(SCRIPTS.resolve("install-" + name).toString(), home().toString()), name + "-install.log");
            int port = freePort();
            var command = new ArrayList<>(List.of(python()));
            command.addAll(module);
            command.add(modelFolder().toString());
            command.addAll(options);
            command.addAll(List.of("--host", "127.0.0.1", "--port", String.valueOf(port)));
            command.addAll(List.of(more));
            var builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            var log = name + "-" + port + ".log";
            var server = new PythonServer(run(builder, log), URI.create("http://127.0.0.1:" + port));
            try {
                server.awaitWell(log);
            } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
                server.close();
                throw e;
            }
            return server;
        }

        private Path modelFolder() throws IOException, InterruptedException {
            var folder = home().resolve("made-up-" + architecture + "-3");
            if (!Files.exists(folder.resolve("generation_config.json"))) {
                var ranks = home().resolve("o200k_base.tiktoken");
                try (var in = Objects.requireNonNull(HarmonyTokenizer.class.getResourceAsStream(RANKS), RANKS)) {
                    Files.copy(in, ranks, StandardCopyOption.REPLACE_EXISTING);
                }
                var command = List.of(
                        python(),
                        SCRIPTS.resolve("model.py").toString(),
                        folder.toString(),
                        ranks.toString(),
                        architecture);
                await(command, name + "-model.log");
            }
            return folder;
        }
    }

    private void awaitWell(String log) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_MAX.toNanos();
        try (var client = HttpClient.newHttpClient()) {
            while (!isWell(client)) {
                assertThat(process.isAlive()).as("see target/" + log).isTrue();
                assertThat(System.nanoTime() - end).as("see target/" + log).isNegative();
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

    private static void await(List<String> command, String log) throws IOException, InterruptedException {
        var process = run(new ProcessBuilder(command), log);
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

    /// All at once, as a machine that loses its power.
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /// Its engine runs in a process of its own.
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
