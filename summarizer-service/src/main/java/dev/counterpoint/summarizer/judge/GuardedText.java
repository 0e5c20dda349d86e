package dev.counterpoint.summarizer.judge;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The words of a text and its runs of [#RUN] words, whatever pieces the text comes in. Only grows; at most
/// [#LENGTH_MAX] characters. Not thread-safe.
final class GuardedText {
    /// Characters of a text; a part is refused where there are more.
    static final int LENGTH_MAX = 1_000_000;
    /// Words in a row that a part may not repeat.
    static final int RUN = 5;
    /// Characters of a word.
    private static final int WORD_MAX = 200;

    private final Set<String> words = new HashSet<>();
    private final Set<String> stems = new HashSet<>();
    private final Set<String> runs = new HashSet<>();
    private final Deque<String> last = new ArrayDeque<>();
    private final StringBuilder open = new StringBuilder();
    private long length;

    void add(String text) {
        length += text.length();
        if (isTooLong()) {
            return;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Words.isPart(c) && open.length() < WORD_MAX) {
                open.append(c);
            } else {
                endWord();
                open.append(Words.isPart(c) ? String.valueOf(c) : "");
            }
        }
    }

    /// The next text begins with a new word.
    void endWord() {
        Words.of(open.toString()).forEach(this::addWord);
        open.setLength(0);
    }

    private void addWord(String word) {
        words.add(word);
        stems.add(Words.stem(word));
        last.add(word);
        if (last.size() == RUN) {
            runs.add(String.join(" ", last));
            last.remove();
        }
    }

    boolean isTooLong() {
        return length > LENGTH_MAX;
    }

    boolean hasWord(String word) {
        return words.contains(word) || openWords().contains(word);
    }

    boolean hasFormOf(String word) {
        var stem = Words.stem(word);
        return stems.contains(stem)
                || openWords().stream().anyMatch(open -> Words.stem(open).equals(stem));
    }

    /// True if the text has [#RUN] of these words in a row.
    boolean sharesRunWith(List<String> row) {
        var unfinished = openRun();
        for (int i = 0; i + RUN <= row.size(); i++) {
            var run = String.join(" ", row.subList(i, i + RUN));
            if (runs.contains(run) || run.equals(unfinished)) {
                return true;
            }
        }
        return false;
    }

    private List<String> openWords() {
        return open.isEmpty() ? List.of() : Words.of(open.toString());
    }

    private String openRun() {
        return String.join(" ", last) + " " + String.join(" ", openWords());
    }

    @Override
    public String toString() {
        return "GuardedText[" + length + "]";
    }
}
