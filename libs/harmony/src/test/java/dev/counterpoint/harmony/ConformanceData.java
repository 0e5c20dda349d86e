package dev.counterpoint.harmony;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The conformance data, read where it lies. Without it tests are skipped, or fail under `-Dconformance=required`;
/// a set that lacks a file skips the tests of that file.
final class ConformanceData {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private ConformanceData() {}

    /// The rows of `harmony/derived/NAME.jsonl`.
    static List<JsonNode> rows(String name) {
        try (var lines = Files.lines(existing(directory().resolve("derived").resolve(name + ".jsonl")))) {
            return lines.filter(line -> !line.isBlank())
                    .map(ConformanceData::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text fixtures of openai/harmony as `{name, text}`, without the white space at their end.
    static List<JsonNode> upstreamFixtures() {
        try (var files =
                Files.list(existing(directory().resolve("openai-harmony").resolve("test-data")))) {
            return files.sorted().map(ConformanceData::fixture).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode fixture(Path file) {
        try {
            return JSON.createObjectNode()
                    .put("name", file.getFileName().toString())
                    .put("text", withoutEnd(Files.readString(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String withoutEnd(String text) {
        return text.replace("\r\n", "\n").stripTrailing();
    }

    private static Path existing(Path path) {
        return Files.exists(path) ? path : skip("no conformance data at " + path.toAbsolutePath());
    }

    /// Skips the test. One line for each test class says so.
    static <T> T skip(String reason) {
        String asking = StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.getClassName().replaceFirst(".*\\.", ""))
                        .filter(name -> name.endsWith("Test"))
                        .findFirst())
                .orElse("A test");
        if (TOLD.add(asking)) {
            System.out.println(asking + " skips what needs conformance data: " + reason);
        }
        return abort(reason);
    }

    private static Path directory() {
        var directory = Path.of(System.getProperty("conformance.dir", ""), "harmony");
        if (Files.isDirectory(directory)) {
            return directory;
        }
        if ("required".equals(System.getProperty("conformance"))) {
            throw new IllegalStateException("no conformance data at " + directory.toAbsolutePath());
        }
        return skip("no conformance data at " + directory.toAbsolutePath());
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int[] tokens(JsonNode ids) {
        var tokens = new int[ids.size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (int) ids.get(i).asLong();
        }
        return tokens;
    }
}
