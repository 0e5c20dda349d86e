package dev.counterpoint.bench;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The results in Markdown.
final class BenchTable {
    private static final double MEGABYTE = 1e6;
    private static final int SLOPE_STREAMS_MIN = 200;

    private final BenchResults results;
    private final StringBuilder text = new StringBuilder();

    BenchTable(BenchResults results) {
        this.results = results;
    }

    String text() {
        times();
        processes();
        memory();
        idle();
        return text.toString();
    }

    private void times() {
        line("| streams | target | first text, ms: p50 | p99 | p99.9 | `response.created`, ms: p50 | p99 "
                + "| transit, ms: p50 | p99 | p99.9 | tokens/s | of | CPU µs/token "
                + "| asked | refused | failed | load |");
        line("|---|---|" + "---:|".repeat(15));
        for (var cell : results.cells()) {
            var created = cell.times().created();
            var first = cell.times().firstText();
            var transit = cell.times().transit();
            var endings = cell.endings();
            long failed = endings.failed() + endings.unfinished() + endings.unsent();
            line(
                    "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.0f | %.0f | %s | %d | %d | %d | %.1f |",
                    cell.load().label(),
                    cell.target(),
                    millis(first, first.p50()),
                    millis(first, first.p99()),
                    millis(first, first.p999()),
                    millis(created, created.p50()),
                    millis(created, created.p99()),
                    millis(transit, transit.p50()),
                    millis(transit, transit.p99()),
                    millis(transit, transit.p999()),
                    cell.tokensPerSecond(),
                    cell.load().offered(),
                    cell.cost().target().isEmpty()
                            ? "–"
                            : rounded(cell.cpuMicrosPerToken(cell.cost().all())),
                    endings.asked(),
                    endings.refused(),
                    failed,
                    cell.loadAverage());
        }
        line("");
    }

    private void processes() {
        var names = names();
        line("CPU µs per token by process (load generator and upstream apart):");
        line("");
        line("| streams | target | %s | load generator | upstream |", String.join(" | ", names));
        line("|---|---|" + "---:|".repeat(names.size() + 2));
        for (var cell : results.cells()) {
            var use = cell.cost().target();
            line(
                    "| %s | %s | %s | %s | %s |",
                    cell.load().label(),
                    cell.target(),
                    names.stream()
                            .map(name -> of(use.get(name), cell::cpuMicrosPerToken))
                            .collect(joining(" | ")),
                    rounded(cell.cpuMicrosPerToken(cell.cost().generator())),
                    rounded(cell.cpuMicrosPerToken(cell.cost().upstream())));
        }
        line("");
    }

    private void memory() {
        var names = names();
        line("Resident memory at the end of the measured time, MB:");
        line("");
        line("| streams | target | %s | all |", String.join(" | ", names));
        line("|---|---|" + "---:|".repeat(names.size() + 1));
        for (var cell : results.cells()) {
            var use = cell.cost().target();
            if (!use.isEmpty()) {
                line(
                        "| %s | %s | %s | %s |",
                        cell.load().label(),
                        cell.target(),
                        names.stream()
                                .map(name -> of(use.get(name), each -> each.rssBytes() / MEGABYTE))
                                .collect(joining(" | ")),
                        rounded(cell.cost().all().rssBytes() / MEGABYTE));
            }
        }
        line("");
        slopes();
    }

    private List<String> names() {
        var names = new LinkedHashSet<String>();
        results.cells().forEach(cell -> names.addAll(cell.cost().target().keySet()));
        return List.copyOf(names);
    }

    /// What more streams take more, from the least to the most; of a few, a heap's growth would be all that is seen.
    private void slopes() {
        var targets = new LinkedHashSet<String>();
        results.cells().forEach(cell -> targets.add(cell.target()));
        for (var target : targets) {
            var cells = results.cells().stream()
                    .filter(cell -> cell.target().equals(target)
                            && cell.tokens() > 0
                            && !cell.cost().target().isEmpty())
                    .toList();
            if (cells.isEmpty()) {
                continue;
            }
            var least = cells.getFirst();
            var most = cells.getLast();
            int more = most.load().streams() - least.load().streams();
            if (more >= SLOPE_STREAMS_MIN) {
                line(
                        "* %s: %.0f MB more per 1,000 streams, from %d to %d streams",
                        target,
                        (most.cost().all().rssBytes() - least.cost().all().rssBytes()) / MEGABYTE / more * 1000,
                        least.load().streams(),
                        most.load().streams());
            }
        }
    }

    private void idle() {
        line(
                "* idle suite: %.1f %% of a core over %d s (%s)",
                share(ProcessUse.sum(results.idle().values())),
                results.idleSeconds(),
                results.idle().entrySet().stream().map(this::share).collect(joining(", ")));
    }

    private String share(Map.Entry<String, ProcessUse> process) {
        return String.format(Locale.ROOT, "%s %.1f", process.getKey(), share(process.getValue()));
    }

    private double share(ProcessUse use) {
        return use.cpuMicros() / 1e4 / results.idleSeconds();
    }

    private static String millis(TimePercentiles of, double millis) {
        return of.count() == 0 ? "–" : String.format(Locale.ROOT, millis < 100 ? "%.1f" : "%.0f", millis);
    }

    /// A figure of a process, where the target has it.
    private static String of(@Nullable ProcessUse use, ToDoubleFunction<ProcessUse> figure) {
        return use == null ? "–" : rounded(figure.applyAsDouble(use));
    }

    private static String rounded(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private void line(String format, Object... values) {
        text.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }
}
