package dev.counterpoint.harmony;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// What became of the rows of each file, in `target/conformance/harmony.json`; written after each file, good or bad.
/// Thread-safe.
final class ConformanceReport {
    private static final Path FILE = Path.of("target", "conformance", "harmony.json");
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final Map<String, Counts> FILES = new TreeMap<>();

    private ConformanceReport() {}

    /// Each row counts once.
    ///
    /// @param explained differ as the baseline says, with the reason
    record Counts(int rows, int passed, int failed, int explained) {}

    static synchronized void add(String file, Counts counts) {
        FILES.put(file, counts);
        System.out.printf(
                "conformance %s: %d passed, %d failed, %d explained%n",
                file, counts.passed, counts.failed, counts.explained);
        try {
            Files.createDirectories(FILE.getParent());
            JSON.writeValue(FILE.toFile(), FILES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
