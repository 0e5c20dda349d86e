package dev.counterpoint.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Writes down which processes belong to the suite, so that the start after a launcher that was killed finds
/// what it left. A process is known by its number and its start time, since numbers are used again.
/// Thread-safe.
final class ProcessRegistry {
    private static final Duration STOP_MAX = Duration.ofSeconds(15);
    /// The system derives start times from its clock, which is corrected now and then.
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

    private final Path file;
    private final Map<String, String> lines = new TreeMap<>();

    ProcessRegistry(Path file) {
        this.file = file;
    }

    /// `process` is what now runs under `name`.
    synchronized void record(String name, ProcessHandle process) {
        long started = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        lines.put(name, name + " " + process.pid() + " " + started + "\n");
        StateFolder.write(file, lines.values().stream().collect(Collectors.joining()));
    }

    synchronized void clear() {
        lines.clear();
        StateFolder.delete(file);
    }

    /// Ends every process that an earlier launcher recorded and that still runs.
    ///
    /// @return their names
    List<String> stopLeftovers() {
        var stopped = new ArrayList<String>();
        var ending = new ArrayList<ProcessHandle>();
        for (String line : read()) {
            String[] fields = line.split(" ");
            find(fields).ifPresent(process -> {
                process.destroy();
                ending.add(process);
                stopped.add(fields[0]);
            });
        }
        ending.forEach(ProcessRegistry::awaitEnd);
        clear();
        return stopped;
    }

    private List<String> read() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Optional<ProcessHandle> find(String[] fields) {
        Instant recorded = Instant.ofEpochMilli(Long.parseLong(fields[2]));
        return ProcessHandle.of(Long.parseLong(fields[1]))
                .filter(process -> process.info()
                        .startInstant()
                        .filter(started ->
                                Duration.between(started, recorded).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                        .isPresent());
    }

    private static void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            process.destroyForcibly();
            process.onExit().join();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
