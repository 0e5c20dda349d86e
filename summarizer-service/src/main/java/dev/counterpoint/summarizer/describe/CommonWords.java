package dev.counterpoint.summarizer.describe;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The words of templates, topics, cues and lists of frequent words, in all languages: what everybody can read in the
/// project's files is no secret of a response.
public final class CommonWords {
    private static final int STEM_MIN = 4;
    private static final int ENDING_MAX = 4;
    private static final Set<String> GRAMMAR = new HashSet<>();
    private static final Set<String> WORDS = new HashSet<>();

    static {
        for (var language : SummaryLanguage.values()) {
            var file = LanguageFile.of(language);
            GRAMMAR.addAll(file.stopWords());
            List.of(
                            file.titles().values(),
                            file.subjects().values(),
                            file.frames().values())
                    .forEach(CommonWords::add);
            file.sentences().values().forEach(CommonWords::add);
            file.activityCues().values().forEach(CommonWords::add);
            file.subjectCues().values().forEach(CommonWords::add);
        }
        LanguageFile.common().subjectCues().values().forEach(CommonWords::add);
    }

    private CommonWords() {}

    private static void add(Collection<String> texts) {
        texts.forEach(text -> WORDS.addAll(List.of(folded(text).split(" "))));
    }

    /// In lower case, without accents and signs, with single blanks between words; `#` for a number.
    public static String folded(String text) {
        return CueText.normal(text).strip();
    }

    /// True if the word only carries grammar.
    ///
    /// @param folded as [#folded(String)] gives it
    public static boolean isGrammar(String folded) {
        return GRAMMAR.contains(folded);
    }

    /// True for a common word, whatever its ending.
    ///
    /// @param folded as [#folded(String)] gives it
    public static boolean contains(String folded) {
        for (int length = folded.length(); length >= Math.max(STEM_MIN, folded.length() - ENDING_MAX); length--) {
            if (WORDS.contains(folded.substring(0, length))) {
                return true;
            }
        }
        return WORDS.contains(folded);
    }
}
