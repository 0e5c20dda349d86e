package dev.counterpoint.summarizer.describe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reasoning of our own in many languages, with the activities and subjects that a fair description can name.
final class DescribedTexts {
    /// @param activities of which each main description should be one
    record Row(String language, String user, String reasoning, Set<Activity> activities, Set<Subject> subjects) {}

    private DescribedTexts() {}

    static Stream<Row> all() {
        try (var in = DescribedTexts.class.getResourceAsStream("/describe/texts.txt")) {
            return new String(java.util.Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(DescribedTexts::row)
                            .toList()
                            .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row row(String line) {
        var cells = line.split(" \\| ");
        return new Row(
                cells[0],
                cells[1],
                cells[2].replace("\\n", "\n"),
                Arrays.stream(cells[3].split(" ")).map(Activity::valueOf).collect(Collectors.toSet()),
                Arrays.stream(cells[4].strip().split(" ")).map(Subject::valueOf).collect(Collectors.toSet()));
    }
}
