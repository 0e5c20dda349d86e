package dev.counterpoint.summarizer.redact;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// The user's last message: no secret to the user, whatever it looks like. Immutable.
public final class UserWords {
    /// Characters that are looked at; a longer text vouches for no more.
    private static final int LENGTH_MAX = 200_000;

    private final Set<String> words = new HashSet<>();
    private final String squeezed;

    public UserWords(String text) {
        var said = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) : text;
        for (var chunk : said.split("\\s+")) {
            var token = TextToken.of(chunk);
            words.add(token.core().toLowerCase(Locale.ROOT));
            for (var part : token.core().split("[^\\p{L}\\p{M}\\p{N}']+")) {
                words.add(part.toLowerCase(Locale.ROOT));
            }
        }
        words.remove("");
        squeezed = Typography.squeezed(said);
    }

    public boolean said(String word) {
        var lower = word.toLowerCase(Locale.ROOT);
        return words.contains(lower)
                || lower.endsWith("s") && words.contains(lower.substring(0, lower.length() - 1))
                || words.contains(lower + "s");
    }

    /// True if the user wrote this, blanks and signs aside.
    public boolean saidAll(String text) {
        return squeezed.contains(Typography.squeezed(text));
    }

    Set<String> words() {
        return words;
    }

    @Override
    public String toString() {
        return "UserWords[" + words.size() + "]";
    }
}
