package dev.counterpoint.summarizer.judge;

import dev.counterpoint.summarizer.describe.LanguageFile;
import dev.counterpoint.summarizer.describe.SummaryLanguage;
import dev.counterpoint.summarizer.describe.WordList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/// The words that parts of one language may have although the user did not write them. Immutable.
///
/// @param function words that only carry grammar
/// @param common frequent words without names and numbers, and the words of the templates
/// @param known rarer words, which the reasoning must not have
record WordLists(Set<String> function, Set<String> common, Set<String> known) {
    private static final Map<SummaryLanguage, WordLists> ALL = readAll();
    private static final String RARER = "---";

    static boolean exist(SummaryLanguage language) {
        return ALL.containsKey(language);
    }

    /// @throws NullPointerException for a language without a list
    static WordLists of(SummaryLanguage language) {
        return Objects.requireNonNull(ALL.get(language), "no list of words");
    }

    boolean hold(String word) {
        return function.contains(word) || common.contains(word) || known.contains(word);
    }

    private static Map<SummaryLanguage, WordLists> readAll() {
        var all = new EnumMap<SummaryLanguage, WordLists>(SummaryLanguage.class);
        for (var language : List.of(SummaryLanguage.EN, SummaryLanguage.DE, SummaryLanguage.FR, SummaryLanguage.ES)) {
            var lines = WordList.lines(WordLists.class, "words/" + language.tag());
            int rarer = lines.indexOf(RARER);
            var file = LanguageFile.of(language);
            var function = words(file.stopWords().stream());
            var common = words(lines.subList(0, rarer).stream());
            common.addAll(words(file.templates()));
            all.put(language, new WordLists(function, common, words(lines.subList(rarer, lines.size()).stream())));
        }
        return all;
    }

    private static Set<String> words(Stream<String> texts) {
        var words = new HashSet<String>();
        texts.forEach(text -> words.addAll(Words.of(text)));
        return words;
    }

    @Override
    public String toString() {
        return "WordLists[" + function.size() + ", " + common.size() + ", " + known.size() + "]";
    }
}
