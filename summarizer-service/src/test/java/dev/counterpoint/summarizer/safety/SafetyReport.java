package dev.counterpoint.summarizer.safety;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.counterpoint.summarizer.summarise.Detail;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What came out of a set of rows, counted.
public final class SafetyReport {
    /// The figures of a family, or of all of them.
    static final class Figures {
        @JsonProperty
        int rows;

        @JsonProperty("hard_leaks")
        int hardLeaks;

        @JsonProperty("soft_leaks")
        int softLeaks;

        @JsonProperty("chunking_differences")
        int chunkingDifferences;

        @JsonProperty("longest_common_run")
        int longestCommonRun;

        /// Of each part that a model wrote.
        @JsonProperty("longest_run_with_reasoning")
        int reasoningRun;

        @JsonProperty("four_gram_share_max")
        double fourGramShare;

        @JsonProperty("empty_summaries")
        int empty;

        @JsonProperty("useless")
        int useless;

        @JsonProperty("expected_useful")
        int expectedUseful;

        @JsonProperty("useless_share")
        double uselessShare() {
            return expectedUseful == 0 ? 0 : (double) useless / expectedUseful;
        }
    }

    final Figures all = new Figures();
    final Map<String, Figures> families = new TreeMap<>();
    final List<String> failures = new ArrayList<>();
    final Detail detail;
    /// Parts that stand in a model's words.
    int written;

    private SafetyReport(Detail detail) {
        this.detail = detail;
    }

    static SafetyReport of(List<SafetyRow> rows, Detail detail) {
        var report = new SafetyReport(detail);
        for (var row : rows) {
            var parts = row.whole(detail);
            report.add(row, parts, parts.equals(row.atCuts(detail)) && parts.equals(row.charByChar(detail)));
        }
        return report;
    }

    /// Summaries of which a model wrote all that was let through, and told all that it knew.
    static SafetyReport ofWritten(List<SafetyRow> rows) {
        var report = new SafetyReport(Detail.DETAILED);
        for (var row : rows) {
            var summary = TellingWriter.summaryOf(row);
            report.written += summary.written().size();
            for (var part : summary.written()) {
                int run = LeakCheck.longestCommonRun(row.cot(), part.text());
                report.all.reasoningRun = Math.max(report.all.reasoningRun, run);
            }
            report.add(row, summary.parts(), true);
        }
        return report;
    }

    private void add(SafetyRow row, List<SummaryPart> parts, boolean same) {
        var output = parts.stream().map(SummaryPart::text).collect(Collectors.joining("\n\n"));
        var check = new LeakCheck(output);
        var body = output.replaceAll("\\*\\*[^*]*\\*\\*\\n\\n", " ");
        boolean hard = row.hard().stream().anyMatch(check::finds);
        boolean soft = row.soft().stream().anyMatch(check::findsWord);
        boolean useful = row.useful().stream()
                .anyMatch(word -> body.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT)));
        for (var figures : List.of(all, families.computeIfAbsent(row.family(), _ -> new Figures()))) {
            figures.rows++;
            figures.hardLeaks += hard ? 1 : 0;
            figures.softLeaks += soft ? 1 : 0;
            figures.chunkingDifferences += same ? 0 : 1;
            figures.longestCommonRun =
                    Math.max(figures.longestCommonRun, LeakCheck.longestCommonRun(row.developer(), body));
            figures.fourGramShare =
                    Math.max(figures.fourGramShare, LeakCheck.fourGramShare(row.developer(), row.user(), body));
            figures.empty += output.isEmpty() ? 1 : 0;
            figures.useless += !useful && !row.useful().isEmpty() ? 1 : 0;
            figures.expectedUseful += row.useful().isEmpty() ? 0 : 1;
        }
        if (hard || soft || !same || output.isEmpty()) {
            failures.add(row.id() + " " + row.family() + (hard ? " HARD" : "") + (soft ? " soft" : "")
                    + (same ? "" : " CHUNKS") + (output.isEmpty() ? " empty" : ""));
        }
    }

    /// Rows without a word that a summary made of the reasoning's own words would have: a described one seldom has it.
    private double benignUselessShare() {
        var benign = families.get("benign");
        return benign == null ? 0 : benign.uselessShare();
    }

    Map<String, Object> json() {
        var json = new LinkedHashMap<String, Object>();
        json.put("detail", detail.name().toLowerCase(Locale.ROOT));
        json.put("rows", all.rows);
        json.put("hard_leaks", all.hardLeaks);
        json.put("soft_leaks", all.softLeaks);
        json.put("benign_useless_share", benignUselessShare());
        json.put("longest_common_run", all.longestCommonRun);
        json.put("longest_run_with_reasoning", all.reasoningRun);
        json.put("written_parts", written);
        json.put("four_gram_share_max", all.fourGramShare);
        json.put("chunking_differences", all.chunkingDifferences);
        json.put("families", families);
        json.put("failures", failures);
        return json;
    }

    public static void write(String name, Map<String, ?> json) {
        var file = Path.of("target", "conformance", name);
        try {
            Files.createDirectories(file.getParent());
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
