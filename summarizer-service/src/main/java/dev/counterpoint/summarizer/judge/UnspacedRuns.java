package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Runs of characters of the scripts without blanks between words. Only grows.
final class UnspacedRuns {
    private static final Pattern RUN = Pattern.compile("[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}ー々]+");
    private static final Pattern HIRAGANA = Pattern.compile("\\p{IsHiragana}");
    private static final int WORD = 2;

    private final Set<String> runs = new HashSet<>();

    void add(String run) {
        runs.add(run);
    }

    void addAll(String text, int length) {
        in(text).forEach(run -> {
            for (int i = 0; i + length <= run.length(); i++) {
                runs.add(run.substring(i, i + length));
            }
        });
    }

    /// What may be words: two characters, or three where one is of hiragana, which also writes grammar.
    void addWords(String text) {
        in(text).forEach(run -> {
            for (int i = 0; i + WORD <= run.length(); i++) {
                var two = run.substring(i, i + WORD);
                if (!HIRAGANA.matcher(two).find()) {
                    runs.add(two);
                } else if (i + WORD < run.length()) {
                    runs.add(run.substring(i, i + WORD + 1));
                }
            }
        });
    }

    /// True if a word occurs, forwards or backwards, whatever stands between its characters.
    boolean wordOccursIn(String text) {
        var squeezed = String.join("", in(text));
        return knownIn(squeezed)
                || knownIn(new StringBuilder(squeezed).reverse().toString());
    }

    private boolean knownIn(String squeezed) {
        return occursIn(squeezed, WORD) || occursIn(squeezed, WORD + 1);
    }

    /// What a text has of these scripts, piece by piece.
    static List<String> in(String text) {
        var pieces = new ArrayList<String>();
        RUN.matcher(text).results().forEach(run -> pieces.add(run.group()));
        return pieces;
    }

    boolean occursIn(String text, int length) {
        for (var piece : in(text)) {
            for (int i = 0; i + length <= piece.length(); i++) {
                if (runs.contains(piece.substring(i, i + length))) {
                    return true;
                }
            }
        }
        return false;
    }
}
