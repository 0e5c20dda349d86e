package dev.counterpoint.summarizer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class CueIndexTest {
    @Test
    void ofTwoCuesTheLongerOneIsMeant() {
        var weights = CueIndex.of(SummaryLanguage.EN).weights("That is not correct.", Set.of());
        assertThat(weights[Activity.CORRECTING.ordinal()]).isPositive();
        assertThat(weights[Activity.CHECKING.ordinal()]).isZero();
    }

    @Test
    void cuesOfTheUsersLanguageAndOfEnglishCount() {
        var german = CueIndex.of(SummaryLanguage.DE);
        assertThat(german.weights("Ich vergleiche beide.", Set.of())[Activity.COMPARING.ordinal()])
                .isPositive();
        assertThat(german.weights("Let me compare both.", Set.of())[Activity.COMPARING.ordinal()])
                .isPositive();
        assertThat(CueIndex.of(SummaryLanguage.FR)
                        .weights("Ich vergleiche beide.", Set.of())[Activity.COMPARING.ordinal()])
                .isZero();
    }
}
