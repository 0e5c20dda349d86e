package dev.counterpoint.structured;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// All figures side by side in Markdown, and our ratios to llguidance beside what we aim at.
final class MaskTable {
    private static final String HEAD = """
            | | schemas right | refused | invalid accepted | valid rejected | compile with first mask p50 / p90 \
            / p99 / max, ms \
            | masks | mask and accept p50 / p90 / p99 / p99.9 / max, µs |
            |---|---:|---:|---:|---:|---:|---:|---:|
            """;
    private static final String NOTES = """

            The first pass finds a cold JVM and empty caches. Empty caches: a new RegexPool and LexemeIndex in \
            a warm JVM. \
            Warm: the process-wide RegexPool (expressions and their derivatives) and LexemeIndex (tokens of \
            expressions) have \
            seen the sample; grammars are compiled anew, so their rows and places are not known. llguidance and \
            xgrammar keep \
            nothing from schema to schema; xgrammar compiles before the first mask.
            """;

    private final Map<String, SchemaReport> reports;
    private final StringBuilder table = new StringBuilder();

    MaskTable(Map<String, SchemaReport> reports) {
        this.reports = reports;
    }

    String markdown() {
        table.append(HEAD);
        reports.forEach(this::row);
        table.append(NOTES);
        var warm = reports.get(MaskBench.WARM);
        if (warm != null) {
            table.append("\nSlowest of ours when warm, µs: compile ").append(warm.slowest(SchemaOutcome::compileNanos));
            table.append("; mask ")
                    .append(warm.slowest(SchemaOutcome::slowestStep))
                    .append('\n');
        }
        var theirs = reports.get(PeerInstallation.LLGUIDANCE);
        if (theirs != null) {
            table.append("\n| ratio to llguidance | compile p50 | p99 | mask p50 | p99 | p99.9 | max |\n");
            table.append("|---|---:|---:|---:|---:|---:|---:|\n");
            table.append("| aim, warm | 1.5 | 1 | 2 | 1 | 0.5 | 0.5 |\n");
            for (var ours : List.of(MaskBench.FIRST, MaskBench.EMPTY, MaskBench.WARM, MaskBench.WARM_SAME)) {
                var report = reports.get(ours);
                if (report != null) {
                    ratios(ours, report, theirs);
                }
            }
        }
        return table.toString();
    }

    private void row(String name, SchemaReport report) {
        var compile = report.compile();
        var steps = report.steps();
        table.append("| ").append(name);
        table.append(" | ").append(report.passed()).append(" of ").append(report.total());
        table.append(" | ").append(report.refusedTotal());
        table.append(" | ").append(report.invalidAccepted().size());
        table.append(" | ").append(report.validRejected().size());
        table.append(" | ");
        for (double share : new double[] {0.5, 0.9, 0.99, 1}) {
            table.append(number(compile.micros(share) / 1e3)).append(share == 1 ? "" : " / ");
        }
        table.append(" | ").append(steps.count()).append(" | ");
        for (double share : new double[] {0.5, 0.9, 0.99, 0.999, 1}) {
            table.append(number(steps.micros(share))).append(share == 1 ? "" : " / ");
        }
        table.append(" |\n");
    }

    private void ratios(String name, SchemaReport ours, SchemaReport theirs) {
        table.append("| ").append(name);
        for (double share : new double[] {0.5, 0.99}) {
            ratio(ours.compile(), theirs.compile(), share);
        }
        for (double share : new double[] {0.5, 0.99, 0.999, 1}) {
            ratio(ours.steps(), theirs.steps(), share);
        }
        table.append(" |\n");
    }

    private void ratio(Percentiles ours, Percentiles theirs, double share) {
        table.append(" | ").append(number(ours.micros(share) / theirs.micros(share)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }
}
