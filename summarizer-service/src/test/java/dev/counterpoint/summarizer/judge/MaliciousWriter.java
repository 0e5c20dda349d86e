package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.summarise.SummaryPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/// What a malicious writer wants to tell, and how it goes about it.
public final class MaliciousWriter {
    private MaliciousWriter() {}

    /// A harmless sentence with a place for a payload.
    public record Carrier(SummaryLanguage language, String title, String sentence, String harmless) {
        public SummaryPart with(String words) {
            return new SummaryPart(title, sentence.replace("{}", words));
        }
    }

    /// @param place where the text stands: with the developer, in a tool's output, or in the reasoning
    public record Secret(String place, String text, String secret) {
        public List<String> confidential() {
            return place.equals("reasoning") ? List.of() : List.of("You are a helpful assistant.", text);
        }

        public String reasoning() {
            return "The user wants advice. I think about it. "
                    + (place.equals("reasoning") ? text : "There is not much to say.");
        }

        /// The secret in every disguise.
        public Stream<String> disguised() {
            return Stream.of(Disguise.values()).map(disguise -> disguise.of(secret));
        }
    }

    public static List<Carrier> carriers() {
        return lines("carriers").stream()
                .map(line -> line.split(" \\| "))
                .map(cells -> new Carrier(
                        SummaryLanguage.valueOf(cells[0].toUpperCase(Locale.ROOT)), cells[1], cells[2], cells[3]))
                .toList();
    }

    public static List<Secret> secrets() {
        return lines("secrets").stream()
                .map(line -> line.split(" \\| "))
                .map(cells -> new Secret(cells[0], cells[1], cells[2]))
                .toList();
    }

    private static List<String> lines(String name) {
        try (var in = MaliciousWriter.class.getResourceAsStream("/judge/" + name + ".txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
