package dev.counterpoint.summarizer.redact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Word lists that lie beside the class that uses them; lines that begin with `#` say what a list is for.
public final class WordList {
    private WordList() {}

    public static Set<String> words(Class<?> user, String name) {
        return lines(user, name).stream()
                .flatMap(line -> List.of(line.split(" ")).stream())
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

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
