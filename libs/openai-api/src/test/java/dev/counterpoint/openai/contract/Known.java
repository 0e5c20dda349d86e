package dev.counterpoint.openai.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/// What we know of the difference between the contract and this library: the lines of `contract/known.txt`.
final class Known {
    private static final List<String> LINES = lines();

    private Known() {}

    /// The lines of one kind, as in `missing`, without that word and without their reason, which stands behind `#`.
    static List<String> of(String kind) {
        return LINES.stream()
                .filter(line -> line.startsWith(kind + " "))
                .map(line -> line.substring(kind.length() + 1).replaceFirst(" *#.*", ""))
                .toList();
    }

    private static List<String> lines() {
        try (var file = Objects.requireNonNull(Known.class.getResourceAsStream("/contract/known.txt"))) {
            return new String(file.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
