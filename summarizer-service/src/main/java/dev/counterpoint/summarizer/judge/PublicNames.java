package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.CommonWords;
import dev.counterpoint.summarizer.describe.WordList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Names and abbreviations that everybody knows and that say nothing about anybody, and those that an operator adds.
/// Immutable.
final class PublicNames {
    private static final Set<String> KNOWN = words(WordList.lines(PublicNames.class, "public-names"));

    private final Set<String> added;

    PublicNames(List<String> added) {
        this.added = words(added);
    }

    private static Set<String> words(Collection<String> names) {
        var words = new HashSet<String>();
        names.forEach(
                name -> words.addAll(Arrays.asList(CommonWords.folded(name).split(" "))));
        words.remove("");
        return Set.copyOf(words);
    }

    boolean contains(TextWord word) {
        return KNOWN.contains(word.folded()) || added.contains(word.folded());
    }

    /// True if the operator says that the word is no secret, whatever the confidential texts say.
    boolean areGrantedBy(TextWord word) {
        return added.contains(word.folded());
    }
}
