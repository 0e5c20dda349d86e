package dev.counterpoint.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/// One recorded case: a folder below `src/test/resources` with what is given and what must come out. A new case is a
/// new folder. Run with `-Dgoldens=write` to record what came out, then read the diff.
public record Golden(Path folder) {
    private static final Path RESOURCES = Path.of("src", "test", "resources");

    /// The cases below `src/test/resources/<family>`, by name, at least one.
    public static Stream<Golden> all(String family) {
        Path parent = RESOURCES.resolve(family);
        try (var folders = Files.list(parent)) {
            var cases =
                    folders.filter(Files::isDirectory).sorted().map(Golden::new).toList();
            if (cases.isEmpty()) {
                throw new IllegalStateException("no golden cases in " + parent.toAbsolutePath());
            }
            return cases.stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The text of a file of this case.
    public String text(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Compares exactly; writes the file instead when the run records.
    ///
    /// @throws AssertionError that names the case, the file and the first line that differs
    public void verify(String file, String actual) {
        if (Objects.equals(System.getProperty("goldens"), "write")) {
            write(folder.resolve(file), actual);
            return;
        }
        String expected = text(file);
        if (!expected.equals(actual)) {
            throw new AssertionError(difference(file, expected, actual));
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String difference(String file, String expected, String actual) {
        String[] wanted = expected.split("\n", -1);
        String[] found = actual.split("\n", -1);
        int line = 0;
        while (line < wanted.length && line < found.length && wanted[line].equals(found[line])) {
            line++;
        }
        return "golden %s/%s differs at line %d%n  expected: %s%n  but was:  %s"
                .formatted(folder, file, line + 1, at(wanted, line), at(found, line));
    }

    private static String at(String[] lines, int line) {
        return line < lines.length ? lines[line] : "(the end)";
    }

    @Override
    public String toString() {
        return folder.getFileName().toString();
    }
}
