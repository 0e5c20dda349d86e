package dev.counterpoint.summarizer.judge;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Runs of words, as hashes: a collision refuses a part, it never lets one pass. Only grows.
final class RunIndex {
    private final Set<Long> runs = new HashSet<>();

    void add(List<String> run) {
        runs.add(hash(run));
    }

    /// All runs of so many words.
    void addAll(List<String> words, int length) {
        for (int i = 0; i + length <= words.size(); i++) {
            add(words.subList(i, i + length));
        }
    }

    /// True if a run of so many words is known.
    boolean occursIn(List<String> words, int length) {
        for (int i = 0; i + length <= words.size(); i++) {
            if (runs.contains(hash(words.subList(i, i + length)))) {
                return true;
            }
        }
        return false;
    }

    /// All runs of so many letters.
    void addLetters(String letters, int length) {
        for (int i = 0; i + length <= letters.length(); i++) {
            runs.add(hash(List.of(letters.substring(i, i + length))));
        }
    }

    boolean lettersOccurIn(String letters, int length) {
        for (int i = 0; i + length <= letters.length(); i++) {
            if (runs.contains(hash(List.of(letters.substring(i, i + length))))) {
                return true;
            }
        }
        return false;
    }

    private static long hash(List<String> run) {
        long hash = run.size();
        for (var word : run) {
            hash = (hash ^ word.hashCode()) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
