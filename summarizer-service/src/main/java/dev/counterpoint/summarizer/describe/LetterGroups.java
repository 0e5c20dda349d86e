package dev.counterpoint.summarizer.describe;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// Rates how common a text's groups of three letters are in one language, by the words of its file. This detects
/// the language of a message without a frequent word, such as "goedkope laptop studie".
final class LetterGroups {
    private static final int LETTERS = 3;
    /// The weight, in occurrences, of a group that the file lacks.
    private static final double UNSEEN = 0.4;
    /// How many groups there are about, in all languages.
    private static final double GROUPS = 6_000;

    private final Map<String, Integer> counts = new HashMap<>();
    private final double total;

    LetterGroups(LanguageFile file) {
        var words = new HashSet<String>();
        file.texts().forEach(text -> words.addAll(CueText.words(text)));
        var groups = of(words);
        groups.forEach(group -> counts.merge(group, 1, Integer::sum));
        total = groups.size() + UNSEEN * GROUPS;
    }

    /// The logarithm of the likelihood that words of this language have these groups.
    double likelihood(List<String> groups) {
        return groups.stream()
                .mapToDouble(group -> Math.log((counts.getOrDefault(group, 0) + UNSEEN) / total))
                .sum();
    }

    /// The groups of those words that consist of letters; a blank stands for the beginning and the end of a word.
    static List<String> of(Collection<String> words) {
        var groups = new ArrayList<String>();
        for (var word : words) {
            if (word.chars().allMatch(Character::isLetter)) {
                var bounded = ' ' + word + ' ';
                for (int end = LETTERS; end <= bounded.length(); end++) {
                    groups.add(bounded.substring(end - LETTERS, end));
                }
            }
        }
        return groups;
    }
}
