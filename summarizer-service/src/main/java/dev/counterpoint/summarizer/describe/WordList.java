package dev.counterpoint.summarizer.describe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Lists that lie beside the class that uses them; lines that begin with `#` say what a list is for.
public final class WordList {
    private WordList() {}

    /// @param name of the list, in the class' package and without its ending
    public static List<String> lines(Class<?> user, String name) {
        try (var in = user.getResourceAsStream(name + ".txt")) {
            if (in == null) {
                throw new IllegalStateException("no word list " + name);
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
