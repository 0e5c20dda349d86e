package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Channels;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A channel as a model spells it: `commentary?`, `––commentary`, `finalHello`, `fina`.
///
/// @param length how much of the word says so; the rest is stuck to it and says something else
record ChannelWord(String name, int length) {
    /// Fewer letters do not tell which channel was meant.
    private static final int LETTERS_MIN = 3;

    /// What may follow a name in small letters without making it another word.
    private static final List<String> FOLLOWERS = Stream.of(
                    Channels.ALL, HeaderReader.CONTENT_TYPES, List.of(HeaderReader.RECIPIENT, HeaderReader.ASSISTANT))
            .flatMap(List::stream)
            .toList();

    /// The whole name, perhaps several times over, perhaps with something stuck to it. `finally` is another word.
    static @Nullable ChannelWord of(String word) {
        String name = null;
        int end = 0;
        var next = nameAt(word, afterMarks(word, 0));
        while (next != null) {
            name = name == null ? next : name;
            end = afterMarks(word, end) + next.length();
            next = nameAt(word, afterMarks(word, end));
        }
        if (name == null || !isWordEnd(word, end)) {
            return null;
        }
        return new ChannelWord(name, afterMarks(word, end) == word.length() ? word.length() : end);
    }

    /// The whole name, or else its beginning.
    static @Nullable ChannelWord meant(String word) {
        var whole = of(word);
        if (whole != null) {
            return whole;
        }
        int from = afterMarks(word, 0);
        int to = from;
        while (to < word.length() && Character.isLetter(word.charAt(to))) {
            to++;
        }
        var letters = word.substring(from, to).toLowerCase(Locale.ROOT);
        return Channels.ALL.stream()
                .filter(name -> letters.length() >= LETTERS_MIN && name.startsWith(letters))
                .findFirst()
                .map(name -> new ChannelWord(name, word.length()))
                .orElse(null);
    }

    /// Whether a name that ends here is a word of its own.
    static boolean isWordEnd(String word, int end) {
        return end == word.length()
                || !Character.isLowerCase(word.charAt(end))
                || FOLLOWERS.stream().anyMatch(follower -> word.startsWith(follower, end));
    }

    private static @Nullable String nameAt(String word, int from) {
        return Channels.ALL.stream()
                .filter(name -> word.regionMatches(true, from, name, 0, name.length()))
                .findFirst()
                .orElse(null);
    }

    /// Behind dashes and question marks, but not into what may be a text.
    private static int afterMarks(String word, int from) {
        int at = from;
        while (at < word.length()
                && !Character.isLetterOrDigit(word.charAt(at))
                && HeaderReader.TEXT_OPENERS.indexOf(word.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
