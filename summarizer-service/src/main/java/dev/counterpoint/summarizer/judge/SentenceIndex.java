package dev.counterpoint.summarizer.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The content words of confidential sentences, to recognise one that is told in other order. Only grows.
final class SentenceIndex {
    private static final int POSTINGS_MAX = 400;
    private static final int SHARED_MIN = 3;
    private static final int STEM = 6;

    private final Map<String, List<Integer>> postings = new HashMap<>();
    private final List<Integer> sizes = new ArrayList<>();

    void add(List<TextWord> sentence) {
        var stems = stems(sentence);
        for (var stem : stems) {
            var places = postings.computeIfAbsent(stem, _ -> new ArrayList<>(1));
            if (places.size() < POSTINGS_MAX) {
                places.add(sizes.size());
            }
        }
        sizes.add(stems.size());
    }

    /// True if its content lies mostly in one sentence, in any order, or covers most of one.
    boolean isToldBy(List<TextWord> sentence) {
        var stems = stems(sentence);
        var shared = new HashMap<Integer, Integer>();
        for (var stem : stems) {
            for (int place : postings.getOrDefault(stem, List.of())) {
                int count = shared.merge(place, 1, Integer::sum);
                if (count >= SHARED_MIN && (2 * count >= stems.size() || 5 * count >= 3 * sizes.get(place))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Set<String> stems(List<TextWord> sentence) {
        var stems = new HashSet<String>();
        for (var word : sentence) {
            if (word.isContent()) {
                var folded = word.folded();
                var bare = folded.endsWith("s") ? folded.substring(0, folded.length() - 1) : folded;
                stems.add(bare.substring(0, Math.min(STEM, bare.length())));
            }
        }
        return stems;
    }
}
