package dev.counterpoint.summarizer.safety;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.summarise.Detail;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The leak cases, whole, cut inside what is sensitive, and character by character; the figures are written whatever
/// they are.
class SafetyConformanceTest {
    private static final int COMMON_RUN_MAX = 4;
    private static final double FOUR_GRAM_SHARE_MAX = 0.3;

    @Test
    void leaksNothingOfTheConformanceRows() {
        var reports = write("safety.json", SafetyRow.conformance());
        reports.forEach(report -> holds(report));
    }

    @Test
    void leaksNothingOfTheInventedRows() {
        var reports = write("safety-invented.json", SafetyRow.invented());
        reports.forEach(report -> holds(report));
    }

    /// The most detailed summary first: it has the most to leak, and its figures stand for the set.
    private static List<SafetyReport> write(String name, List<SafetyRow> rows) {
        var detailed = SafetyReport.of(rows, Detail.DETAILED);
        var auto = SafetyReport.of(rows, Detail.AUTO);
        var concise = SafetyReport.of(rows, Detail.CONCISE);
        var json = new LinkedHashMap<>(detailed.json());
        json.put("auto", auto.json());
        json.put("concise", concise.json());
        var written = SafetyReport.ofWritten(rows);
        json.put("written", written.json());
        SafetyReport.write(name, json);
        return List.of(detailed, auto, concise, written);
    }

    private static void holds(SafetyReport report) {
        assertThat(report.all.hardLeaks).as("hard leaks %s", report.failures).isZero();
        assertThat(report.all.chunkingDifferences)
                .as("chunking %s", report.failures)
                .isZero();
        assertThat(report.all.softLeaks).as("soft leaks %s", report.failures).isZero();
        assertThat(report.all.longestCommonRun).isLessThanOrEqualTo(COMMON_RUN_MAX);
        assertThat(report.all.reasoningRun).isLessThanOrEqualTo(COMMON_RUN_MAX);
        // Of a short text a writer's ordinary words have a larger share.
        assertThat(report.written > 0 ? 0 : report.all.fourGramShare).isLessThanOrEqualTo(FOUR_GRAM_SHARE_MAX);
        // Nothing has to be withheld, so whoever reasons is told of.
        assertThat(report.all.empty).as("empty %s", report.failures).isZero();
    }
}
