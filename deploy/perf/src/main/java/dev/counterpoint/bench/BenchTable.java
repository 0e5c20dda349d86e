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
    /// Threads that use less are not shown.
    private static final double THREAD_MICROS_MIN = 1;

    private final BenchResults results;
    private final StringBuilder text = new StringBuilder();

    BenchTable(BenchResults results) {
        this.results = results;
    }

    String text() {
        times();
        answers();
        processes();
        threads();
        memory();
        agents();
        idle();
        return text.toString();
    }

    private void times() {
        line("| streams | answer | target | first text, ms: p50 | p99 | p99.9 | `response.created`, ms: p50 | p99 "
                + "| transit, ms: p50 | p99 | p99.9 | tokens/s | of | CPU µs/token | ms/answer "
                + "| asked | refused | failed | load |");
        line("|---|---:|---|" + "---:|".repeat(16));
        for (var cell : results.cells()) {
            var created = cell.times().created();
            var first = cell.times().firstText();
            var transit = cell.times().transit();
            var endings = cell.endings();
            long failed = endings.failed() + endings.unfinished() + endings.unsent();
            line(
                    "| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.0f | %.0f | %s | %s | %d | %d | %d | %.1f |",
                    cell.load().label(),
                    cell.load().answer(),
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
                    cell.cost().target().isEmpty()
                            ? "–"
                            : "%.1f"
                                    .formatted(
                                            cell.cpuMillisPerAnswer(cell.cost().all())),
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
        line("| streams | answer | target | %s | load generator | upstream |", String.join(" | ", names));
        line("|---|---:|---|" + "---:|".repeat(names.size() + 2));
        for (var cell : results.cells()) {
            var use = cell.cost().target();
            line(
                    "| %s | %d | %s | %s | %s | %s |",
                    cell.load().label(),
                    cell.load().answer(),
                    cell.target(),
                    names.stream()
                            .map(name -> of(use.get(name), cell::cpuMicrosPerToken))
                            .collect(joining(" | ")),
                    rounded(cell.cpuMicrosPerToken(cell.cost().generator())),
                    rounded(cell.cpuMicrosPerToken(cell.cost().upstream())));
        }
        line("");
    }

    /// What an answer costs whatever its length, where two lengths were measured with as many streams.
    private void answers() {
        for (var longer : results.cells()) {
            results.cells().stream()
                    .filter(shorter -> shorter.target().equals(longer.target())
                            && shorter.load().label().equals(longer.load().label())
                            && shorter.load().answer() < longer.load().answer()
                            && !longer.cost().target().isEmpty())
                    .forEach(shorter -> answer(shorter, longer));
        }
        line("");
    }

    private void answer(BenchCell shorter, BenchCell longer) {
        double few = shorter.load().answer();
        double many = longer.load().answer();
        double ofFew = shorter.cpuMicrosPerToken(shorter.cost().all());
        double ofMany = longer.cpuMicrosPerToken(longer.cost().all());
        double answer = (ofFew - ofMany) / (1 / few - 1 / many);
        line(
                "* %s, %s streams: %.1f ms of CPU an answer and %.0f µs each of its tokens (answers of %.0f and %.0f)",
                longer.target(), longer.load().label(), answer / 1000, ofMany - answer / many, few, many);
    }

    private void threads() {
        line("CPU µs per token by thread, and context switches per token:");
        line("");
        line("| streams | answer | target | process | switches | threads |");
        line("|---|---:|---|---|---:|---|");
        for (var cell : results.cells()) {
            if (cell.tokens() > 0) {
                cell.cost().threads().forEach((process, use) -> threads(cell, process, use));
            }
        }
        line("");
    }

    private void threads(BenchCell cell, String process, ThreadUse use) {
        double perToken = 1.0 / cell.tokens();
        var most = use.cpuNanos().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .filter(thread -> thread.getValue() / 1e3 * perToken >= THREAD_MICROS_MIN)
                .map(thread -> thread.getKey() + " " + rounded(thread.getValue() / 1e3 * perToken))
                .collect(joining(", "));
        if (!most.isEmpty()) {
            line(
                    "| %s | %d | %s | %s | %.1f | %s |",
                    cell.load().label(), cell.load().answer(), cell.target(), process, use.switches() * perToken, most);
        }
    }

    private void agents() {
        if (results.agents().isEmpty()) {
            return;
        }
        line("An agent's turns 16 to 20, over a prompt that grows to 70,000 tokens:");
        line("");
        line("| target | last body, kB | first text, ms: p50 | CPU ms/turn |");
        line("|---|---:|---:|---:|");
        for (var turns : results.agents()) {
            line(
                    "| %s | %d | %.1f | %s |",
                    turns.target(),
                    turns.promptBytes() / 1000,
                    turns.firstTextMillis(),
                    turns.cpuMillis() == 0 ? "–" : rounded(turns.cpuMillis()));
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
