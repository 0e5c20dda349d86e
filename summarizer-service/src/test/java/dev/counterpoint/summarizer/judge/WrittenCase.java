package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Texts and the summary that an honest writer makes of them.
public record WrittenCase(
        SummaryLanguage language, List<String> confidential, String reasoning, String user, List<SummaryPart> parts) {
    public static List<WrittenCase> honest() {
        try (var in = WrittenCase.class.getResourceAsStream("/judge/honest.txt")) {
            var cases = new ArrayList<WrittenCase>();
            new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> add(line, cases));
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(String line, List<WrittenCase> cases) {
        var cells = line.substring(2).split(" \\| ");
        if (line.startsWith("- ")) {
            cases.getLast().parts.add(new SummaryPart(cells[0], cells[1]));
        } else {
            var confidential = cells[1].equals("-") ? List.<String>of() : List.of(cells[1]);
            var language = SummaryLanguage.valueOf(cells[0].toUpperCase(Locale.ROOT));
            cases.add(new WrittenCase(language, confidential, cells[2], cells[3], new ArrayList<>()));
        }
    }
}
