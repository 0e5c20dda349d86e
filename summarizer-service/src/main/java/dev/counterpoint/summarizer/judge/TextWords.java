package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.redact.EnglishWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Splits text into words.
final class TextWords {
    private TextWords() {}

    /// Runs of letters, digits and apostrophes, in lower case.
    static List<String> of(String text) {
        var words = new ArrayList<String>();
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean inside = i < text.length() && isPart(text.charAt(i));
            if (inside && start < 0) {
                start = i;
            } else if (!inside && start >= 0) {
                var word = trimmed(text.substring(start, i).replace('’', '\''));
                if (!word.isEmpty()) {
                    words.add(word.toLowerCase(Locale.ROOT));
                }
                start = -1;
            }
        }
        return words;
    }

    private static boolean isPart(char c) {
        return Character.isLetterOrDigit(c)
                || c == '\''
                || c == '’'
                || Character.isSurrogate(c)
                || Character.getType(c) == Character.NON_SPACING_MARK
                || Character.getType(c) == Character.COMBINING_SPACING_MARK;
    }

    private static String trimmed(String word) {
        int start = 0;
        int end = word.length();
        while (start < end && word.charAt(start) == '\'') {
            start++;
        }
        while (end > start && word.charAt(end - 1) == '\'') {
            end--;
        }
        return word.substring(start, end);
    }

    /// The word without an ending that only grammar put there.
    static String stem(String word) {
        if (word.endsWith("'s")) {
            return stem(word.substring(0, word.length() - 2));
        }
        for (var ending : List.of("ing", "ed", "es", "s", "e")) {
            if (word.length() - ending.length() >= 4 && word.endsWith(ending)) {
                return word.substring(0, word.length() - ending.length());
            }
        }
        return word;
    }

    static boolean isContent(String word) {
        return !EnglishWords.isGrammar(word) && (word.length() > 2 || Character.isDigit(word.charAt(0)));
    }

    static boolean isDigits(String word) {
        return word.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
