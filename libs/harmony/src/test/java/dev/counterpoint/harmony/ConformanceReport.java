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

    /// @param explained of the failed rows, those that the baseline names with a reason
    record Counts(int rows, int passed, int failed, int explained) {}

    static synchronized void add(String file, Counts counts) {
        FILES.put(file, counts);
        try {
            Files.createDirectories(FILE.getParent());
            JSON.writeValue(FILE.toFile(), FILES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
