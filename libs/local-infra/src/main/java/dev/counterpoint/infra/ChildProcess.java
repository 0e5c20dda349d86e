package dev.counterpoint.infra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A program started beside this JVM, with its output in a file: something to wait for, to freeze and to
/// kill. Thread-safe.
public final class ChildProcess implements AutoCloseable {
    private static final Duration LINE_POLL = Duration.ofMillis(20);
    /// Services log each time that they are not ready.
    private static final Duration HTTP_POLL = Duration.ofMillis(100);

    private static final Duration SIGNAL_MAX = Duration.ofSeconds(20);

    private static final int TAIL_LINES = 30;

    private final Process process;
    private final ProcessSpec spec;
    /// Bytes of the log that earlier runs wrote.
    private final int logged;

    private ChildProcess(Process process, ProcessSpec spec, int logged) {
        this.process = process;
        this.spec = spec;
        this.logged = logged;
    }

    static ChildProcess start(ProcessSpec spec) {
        try {
            Files.createDirectories(spec.log().toAbsolutePath().getParent());
            if (!spec.appends() || !Files.exists(spec.log())) {
                Files.writeString(spec.log(), "");
            }
            int logged = Math.toIntExact(Files.size(spec.log()));
            var builder = new ProcessBuilder(spec.command())
                    .directory(spec.directory().toFile())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(spec.log().toFile()));
            builder.environment().putAll(spec.environment());
            return new ChildProcess(builder.start(), spec, logged);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot start " + spec.command().getFirst(), failure);
        }
    }

    public long pid() {
        return process.pid();
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /// The exit status, negative never; empty while it runs. A process ended by signal n reports 128 + n.
    public Optional<Integer> exitStatus() {
        return process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
    }

    public Path log() {
        return spec.log();
    }

    /// Waits until a complete line of the output contains `text`, and returns that line.
    ///
    /// @throws IllegalStateException with the end of the log when the process ends or the limit passes first
    public String awaitLine(String text, Duration limit) {
        await("a line with \"" + text + "\"", limit, LINE_POLL, () -> line(text).isPresent());
        return line(text).orElseThrow();
    }

    /// Waits until a GET of `uri` answers `status`.
    ///
    /// @throws IllegalStateException with the end of the log when the process ends or the limit passes first
    public void awaitHttp(URI uri, int status, Duration limit) {
        try (var client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build()) {
            var request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
            await(uri + " to answer " + status, limit, HTTP_POLL, () -> answers(client, request, status));
        }
    }

    private static boolean answers(HttpClient client, HttpRequest request, int status) {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == status;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + request.uri(), interrupted);
        }
    }

    private void await(String what, Duration limit, Duration poll, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() && !condition.getAsBoolean()) {
                throw new IllegalStateException(
                        spec.name() + " ended with status " + process.exitValue() + " before " + what + tail());
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(spec.name() + ": waited " + limit + " for " + what + tail());
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(poll.toNanos());
        }
    }

    private Optional<String> line(String text) {
        String output = output();
        // The last line may still be growing.
        return output.substring(0, output.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.contains(text))
                .findFirst();
    }

    /// Everything that it wrote so far.
    public String output() {
        try {
            byte[] log = Files.readAllBytes(spec.log());
            return new String(log, logged, log.length - logged, UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The last lines that it wrote, for people: without stack frames, which would push the causes out.
    public String tail() {
        List<String> lines = output().lines()
                .filter(line -> !line.startsWith("\tat ") && !line.startsWith("\t... "))
                .toList();
        int from = Math.max(0, lines.size() - TAIL_LINES);
        return "\n--- the end of " + spec.log() + "\n" + String.join("\n", lines.subList(from, lines.size()));
    }

    /// SIGTERM, then SIGKILL when it is still there after `grace`; returns when it has ended.
    public void stop(Duration grace) {
        process.destroy();
        if (!endsWithin(grace)) {
            kill();
        }
    }

    /// SIGKILL; returns when it has ended.
    public void kill() {
        process.destroyForcibly();
        if (!endsWithin(SIGNAL_MAX)) {
            throw new IllegalStateException(spec.name() + " outlived SIGKILL");
        }
    }

    /// SIGABRT, which native code sends itself where it finds itself broken; returns when it has ended.
    public void abort() {
        Signals.send("ABRT", pid());
        if (!endsWithin(SIGNAL_MAX)) {
            throw new IllegalStateException(spec.name() + " outlived SIGABRT");
        }
    }

    /// Waits for its end.
    ///
    /// @return whether it came before the limit
    public boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /// SIGSTOP: it keeps its memory and its connections and does nothing, like a machine that hangs.
    public void pause() {
        Signals.send("STOP", pid());
    }

    /// SIGCONT.
    public void resume() {
        Signals.send("CONT", pid());
    }

    /// Lets none of its files grow beyond so many bytes from now on, as on a disk that is full: writes past them fail.
    /// Takes no right but to its own kind. Lasts until it ends.
    public void limitFiles(long bytes) {
        if (!Signals.run("prlimit", "--pid", Long.toString(pid()), "--fsize=" + bytes + ":")) {
            throw new IllegalStateException("cannot limit the files of " + this);
        }
    }

    /// Kills it if it still runs.
    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    @Override
    public String toString() {
        return spec.name() + " (pid " + pid() + ")";
    }
}
