package dev.counterpoint.summarizer.describe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Lists stored beside the class that uses them; lines that begin with `#` are comments.
public final class WordList {
    private WordList() {}

    /// @param name of the list, in the class' package and without its ending
    public static List<String> lines(Class<?> user, String name) {
        return text(user, name + ".txt")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /// A text that lies beside the class that uses it.
    ///
    /// @param name of the file, in the class' package
    public static String text(Class<?> user, String name) {
        try (var in = user.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no text " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
