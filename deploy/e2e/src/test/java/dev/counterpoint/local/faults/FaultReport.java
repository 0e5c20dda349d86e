package dev.counterpoint.local.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Writes what a run did and found into files of its folder, and the gist on the console. Thread-safe.
final class FaultReport {
    private static final int SHOWN_MAX = 20;

    private final Path folder;
    private final PrintStream out;
    private final long start = System.nanoTime();

    FaultReport(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /// Takes away what a run before left.
    static void clear(Path folder) {
        try {
            if (Files.exists(folder)) {
                try (var files = Files.walk(folder)) {
                    for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(file);
                    }
                }
            }
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void begin(long seed, Duration length, int brokers, List<Fault> schedule) {
        var lines = new ArrayList<String>();
        lines.add(String.format(
                Locale.ROOT,
                "faults: seed %d, %.1f minutes, %d faults; the same again: -Dseed=%d -Dminutes=%s -Dbrokers=%d",
                seed,
                length.toMillis() / 60_000.0,
                schedule.size(),
                seed,
                length.toMillis() / 60_000.0,
                brokers));
        schedule.forEach(fault -> lines.add(fault.toString()));
        lines.forEach(out::println);
        write("schedule.txt", lines);
    }

    /// Notes something that happens.
    synchronized void say(String what) {
        var line = String.format(Locale.ROOT, "[%6.1f] %s", (System.nanoTime() - start) / 1e9, what);
        out.println(line);
        write("diary.txt", List.of(line));
    }

    void end(Evidence evidence, Injector injector, Collection<Violation> violations) {
        var byRule = violations.stream()
                .collect(Collectors.groupingBy(Violation::rule, TreeMap::new, Collectors.counting()));
        var lines = List.of(
                "requests: " + evidence.heard().size() + " " + evidence.kinds(),
                "callers: " + evidence.outcomes(),
                "accepted: " + evidence.logs().size() + ", re-issued " + evidence.reissues() + " times, opted in "
                        + evidence.logs().values().stream()
                                .filter(told -> told.accepted().audited())
                                .count(),
                "endings: " + evidence.endings(),
                "faults: " + injector.done() + ", missed " + injector.missed(),
                "violations: " + violations.size() + " " + byRule);
        lines.forEach(out::println);
        violations.stream().limit(SHOWN_MAX).forEach(violation -> out.println("  " + violation));
        write("report.txt", lines);
        write("requests.txt", evidence.lines());
        write("answers.txt", evidence.answers());
        write("violations.txt", violations.stream().map(Violation::toString).toList());
        out.println("logs of the suite and all of this: " + folder);
    }

    private void write(String file, List<String> lines) {
        try {
            Files.write(folder.resolve(file), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
