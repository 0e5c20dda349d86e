package dev.counterpoint.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A file of `export NAME='value'` lines, for `source` in a shell.
final class EnvironmentFile {
    private static final Pattern LINE = Pattern.compile("export ([A-Z_]+)='([^']*)'");

    private EnvironmentFile() {}

    /// Readable by its owner only.
    static void write(Path file, Map<String, String> values) {
        StateFolder.write(file, text(values));
    }

    /// Lines in the order of the names. Values hold no quotes: they are URLs, paths and tokens of ours.
    ///
    /// @throws IllegalArgumentException when one does
    static String text(Map<String, String> values) {
        values.forEach((name, value) -> {
            if (value.contains("'") || value.contains("\n")) {
                throw new IllegalArgumentException(name + " holds a quote or a line end");
            }
        });
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(entry -> "export " + entry.getKey() + "='" + entry.getValue() + "'\n")
                        .collect(Collectors.joining());
    }

    static Map<String, String> read(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .map(LINE::matcher)
                    .filter(Matcher::matches)
                    .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
