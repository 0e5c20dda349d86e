package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Looks for guarded words that a row of parts spells: backwards, in two pieces, or in the first or last letters of
/// words, of sentences and of titles. Knows the end of the parts that were shown. Not thread-safe.
final class HiddenWords {
    private static final int BACKWARDS_MIN = 4;
    private static final int SPELLED_MIN = 5;
    private static final int SPELLED_MAX = 16;

    private final Predicate<String> guarded;
    /// What the parts shown so far end with, for each way to spell.
    private List<String> shown = List.of("", "", "", "");

    private String lastWord = "";

    HiddenWords(Predicate<String> guarded) {
        this.guarded = guarded;
    }

    /// @param title the words of the title
    /// @param sentences the words of each sentence
    boolean areIn(List<String> title, List<List<String>> sentences) {
        var words = words(title, sentences);
        var before = lastWord;
        for (var word : words) {
            var reversed = new StringBuilder(word).reverse().toString();
            var joined = before + word;
            if (word.length() >= BACKWARDS_MIN && !reversed.equals(word) && guarded.test(reversed)
                    || joined.length() >= SPELLED_MIN && joined.length() > word.length() && guarded.test(joined)) {
                return true;
            }
            before = word;
        }
        return spelled(title, sentences).stream().anyMatch(this::spells);
    }

    void shown(List<String> title, List<List<String>> sentences) {
        shown = spelled(title, sentences).stream()
                .map(letters -> letters.substring(Math.max(0, letters.length() - SPELLED_MAX)))
                .toList();
        lastWord = words(title, sentences).getLast();
    }

    private static List<String> words(List<String> title, List<List<String>> sentences) {
        var words = new ArrayList<>(title);
        sentences.forEach(words::addAll);
        return words;
    }

    private List<String> spelled(List<String> title, List<List<String>> sentences) {
        var first = new StringBuilder(shown.get(0));
        var last = new StringBuilder(shown.get(1));
        for (var word : words(title, sentences)) {
            first.append(word.charAt(0));
            last.append(word.charAt(word.length() - 1));
        }
        var openings = new StringBuilder(shown.get(2));
        sentences.forEach(sentence -> openings.append(sentence.getFirst().charAt(0)));
        return List.of(
                first.toString(),
                last.toString(),
                openings.toString(),
                shown.get(3) + title.getFirst().charAt(0));
    }

    private boolean spells(String letters) {
        for (int from = 0; from + SPELLED_MIN <= letters.length(); from++) {
            for (int to = from + SPELLED_MIN; to <= Math.min(letters.length(), from + SPELLED_MAX); to++) {
                if (guarded.test(letters.substring(from, to))) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "HiddenWords";
    }
}
