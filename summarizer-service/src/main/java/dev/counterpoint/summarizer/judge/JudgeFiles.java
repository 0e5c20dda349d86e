package dev.counterpoint.summarizer.judge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The lists that lie beside the judge; lines that begin with `#` say what a list is for.
final class JudgeFiles {
    private JudgeFiles() {}

    static List<String> lines(String name) {
        try (var in = JudgeFiles.class.getResourceAsStream(name + ".txt")) {
            if (in == null) {
                throw new IllegalStateException("no list " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
