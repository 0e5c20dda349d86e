package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CueIndexTest {
    /// French or German has a longer cue for each of these words than English.
    @ParameterizedTest
    @CsvSource(textBlock = """
            calories,  NUTRITION
            fractions, ARITHMETIC
            divisible, NUMBER_THEORY
            religion,  RELIGION
            recycling, ENVIRONMENT
            parents,   FAMILY
            """)
    void aCueThatDoesNotCountHidesNoShorterOneThatDoes(String word, Subject subject) {
        assertThat(CueScores.of(word, SummaryLanguage.EN).subjectCues).containsOnlyKeys(subject);
    }

    @Test
    void ofTwoCuesThatCountTheLongerOneIsMeant() {
        var scores = CueScores.of("waarschijnlijkheid", SummaryLanguage.NL);
        assertThat(scores.subjectCues).containsOnlyKeys(Subject.PROBABILITY);
        assertThat(scores.activities[Activity.ASSUMING.ordinal()]).isZero();
        assertThat(CueScores.of("waarschijnlijk", SummaryLanguage.NL).activities[Activity.ASSUMING.ordinal()])
                .isPositive();
    }
}
