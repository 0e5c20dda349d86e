package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PhraseWordsTest {
    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void everyLanguageHasWordsThatAreNotQuoted(SummaryLanguage language) {
        assertThat(PhraseWords.of(language).unquoted()).hasSizeGreaterThan(500);
    }

    /// A word that names a topic can be quoted.
    @ParameterizedTest
    @EnumSource(SummaryLanguage.class)
    void hardlyAWordForATopicIsNotQuoted(SummaryLanguage language) {
        var words = PhraseWords.of(language);
        var topics = LanguageFile.of(language).subjectCues().values().stream()
                .flatMap(List::stream)
                .map(Cue::normal)
                .filter(cue -> !cue.isBlank() && cue.indexOf(' ') < 0)
                .toList();
        assertThat(topics.stream().filter(words.unquoted()::contains).count()).isLessThan(topics.size() / 25);
    }

    @Test
    void aParticleOfKoreanGoesByTheSoundBeforeIt() {
        var words = PhraseWords.of(SummaryLanguage.KO);
        assertThat(words.withoutParticle("개혁은")).isEqualTo("개혁");
        assertThat(words.withoutParticle("전문가")).isEqualTo("전문가");
        assertThat(words.withoutParticle("학교가")).isEqualTo("학교");
    }
}
