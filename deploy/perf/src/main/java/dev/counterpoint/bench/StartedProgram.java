package dev.counterpoint.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A program that the benchmark starts, with its output in a file; stopped with the benchmark, however that ends.
final class StartedProgram implements AutoCloseable {
    private static final long STOP_SECONDS_MAX = 60;
    private static final long POLL_NANOS = 50_000_000;

    private final String name;
    private final Process process;
    private final Path log;
    private final Thread atExit = new Thread(this::stop, "stop");

    private StartedProgram(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    static StartedProgram start(String name, List<String> command, Map<String, String> environment, Path folder) {
        var log = folder.resolve(name + ".log");
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new StartedProgram(name, builder.start(), log);
        } catch (IOException failure) {
            throw new UncheckedIOException(name + " cannot be started", failure);
        }
    }

    /// A port of 127.0.0.1 that nobody has now.
    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// @throws IllegalStateException when it ends before, or the time is over
    void await(BooleanSupplier ready, int secondsMax) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
        while (!ready.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(name + " is not ready; see " + log);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    boolean hasSaid(String text) {
        try {
            return Files.readString(log).contains(text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    private void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
