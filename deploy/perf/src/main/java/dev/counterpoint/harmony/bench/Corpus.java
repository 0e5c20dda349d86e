package dev.counterpoint.harmony.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// A text of the bench: a file of documents, a zero byte between any two.
final class Corpus {
    static final List<String> NAMES = List.of("prose", "code", "multilingual");

    private static final String SEPARATOR = "\0";

    private Corpus() {}

    /// Where texts, vocabulary and results lie.
    static Path folder() {
        return Path.of(System.getProperty("bench.folder", "target/harmony")).toAbsolutePath();
    }

    static Path file(String name) {
        return folder().resolve(name + ".txt");
    }

    static boolean exists(String name) {
        return Files.exists(file(name));
    }

    static String[] documents(String name) {
        try {
            return Files.readString(file(name)).split(SEPARATOR);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(String name, List<String> documents) throws IOException {
        Files.writeString(file(name), String.join(SEPARATOR, documents));
    }

    static long bytes(String name) {
        return Arrays.stream(documents(name))
                .mapToLong(document -> document.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }
}
