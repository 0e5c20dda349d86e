package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Phrases to look for in text; by their beginnings, so that a long text is read once.
final class CueTable {
    /// Hiragana and what comes after it.
    private static final char UNSPACED = '\u3040';

    private final Map<String, List<String>> byBeginning = new HashMap<>();

    /// @param cue folded, with a blank where a word has to begin or to end
    void add(String cue) {
        byBeginning
                .computeIfAbsent(cue.substring(0, keyLength(cue.charAt(0))), _ -> new ArrayList<>())
                .add(cue);
    }

    /// A blank says little.
    private static int keyLength(char first) {
        return first == ' ' ? 2 : 1;
    }

    boolean occurIn(String text) {
        var words = " " + CommonWords.folded(text) + " ";
        for (int i = 0; i + 1 < words.length(); i++) {
            char c = words.charAt(i);
            // A cue begins with a word, or with a character of a script without blanks.
            var cues = c == ' ' || c >= UNSPACED
                    ? byBeginning.getOrDefault(words.substring(i, i + keyLength(c)), List.of())
                    : List.<String>of();
            for (var cue : cues) {
                if (words.startsWith(cue, i)) {
                    return true;
                }
            }
        }
        return false;
    }
}
