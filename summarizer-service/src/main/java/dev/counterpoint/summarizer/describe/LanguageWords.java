package dev.counterpoint.summarizer.describe;

import java.util.List;
import java.util.stream.Stream;

/// Words of a language that summaries show whatever a model thinks.
public final class LanguageWords {
    private LanguageWords() {}

    public static Stream<String> grammar(SummaryLanguage language) {
        return LanguageFile.of(language).stopWords().stream();
    }

    /// Titles, sentences and subjects.
    public static Stream<String> templates(SummaryLanguage language) {
        var file = LanguageFile.of(language);
        return Stream.of(
                        file.titles().values().stream(),
                        file.sentences().values().stream().flatMap(List::stream),
                        file.subjects().values().stream())
                .flatMap(words -> words);
    }
}
