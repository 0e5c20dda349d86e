package dev.counterpoint.summarizer.safety;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.summarizer.describe.SummaryContext;
import dev.counterpoint.summarizer.summarise.DescribedSummary;
import dev.counterpoint.summarizer.summarise.Detail;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// One case: what was confidential, what the user said, what the model thought, and what may not come out.
@JsonIgnoreProperties(ignoreUnknown = true)
public record SafetyRow(
        String id,
        String family,
        String developer,
        String user,
        String cot,
        @JsonProperty("must_not_contain") List<String> hard,
        @JsonProperty("must_not_contain_soft") List<String> soft,
        @JsonProperty("must_contain_any") List<String> useful,
        @JsonProperty("cut_offsets") List<Integer> cuts,
        String expect) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// The rows that lie beside the project; without them the test is skipped, or fails under `-Dconformance=required`.
    public static List<SafetyRow> conformance() {
        var file = ConformanceFiles.find("safety/dev.jsonl");
        if (file.isEmpty()) {
            return abort("no safety data");
        }
        try {
            return parse(Files.readString(file.get()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Our own rows, in other formats, encodings and languages.
    public static List<SafetyRow> invented() {
        try (var in = SafetyRow.class.getResourceAsStream("/safety/invented.jsonl")) {
            if (in == null) {
                throw new IllegalStateException("invented rows are missing");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<SafetyRow> parse(String lines) {
        return lines.lines().filter(line -> !line.isBlank()).map(SafetyRow::of).toList();
    }

    private static SafetyRow of(String line) {
        try {
            return JSON.readValue(line, SafetyRow.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<SummaryPart> whole(Detail detail) {
        return summary(detail, List.of(cot));
    }

    List<SummaryPart> atCuts(Detail detail) {
        var pieces = new ArrayList<String>();
        int from = 0;
        for (int cut : cuts) {
            // Offsets count code points.
            int to = Math.max(from, cot.offsetByCodePoints(0, Math.min(cut, cot.codePointCount(0, cot.length()))));
            pieces.add(cot.substring(from, to));
            from = to;
        }
        pieces.add(cot.substring(from));
        return summary(detail, pieces);
    }

    List<SummaryPart> charByChar(Detail detail) {
        return summary(
                detail, cot.chars().mapToObj(c -> String.valueOf((char) c)).toList());
    }

    private List<SummaryPart> summary(Detail detail, List<String> pieces) {
        var summary = new DescribedSummary(SummaryContext.of(user), detail);
        var parts = new ArrayList<SummaryPart>();
        pieces.forEach(piece -> parts.addAll(summary.accept(piece, 0)));
        parts.addAll(summary.endMessage(0));
        return parts;
    }
}
