package dev.counterpoint.summarizer.summarise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SafeSummaryTest {
    private static final Confidential BAKERY =
            new Confidential(List.of("You answer for a bakery. Oven mark: KV-7731-QX."), "Which bread keeps longest?");
    private static final String SENTENCES =
            "Rye keeps well. Wheat dries fast. Seeds help a little. Salt does too. A box is fine. "
                    + "Cold air hurts it. Paper is fair. Cloth is better. ";

    private static List<Sentence> all(SafeSummary summary, String text) {
        var sentences = new ArrayList<>(summary.accept(text));
        sentences.addAll(summary.endMessage());
        return sentences;
    }

    private static String text(List<Sentence> sentences) {
        return sentences.stream().map(Sentence::text).collect(Collectors.joining());
    }

    @Test
    void putsAHeadingBeforeTheFirstSentenceOfAPart() {
        var sentences = all(new SafeSummary(BAKERY, Detail.AUTO), "The user asks about bread. Rye keeps well.");
        assertThat(sentences)
                .containsExactly(
                        new Sentence(true, "**Considering the request**\n\nThe user asks about bread."),
                        new Sentence(false, " Rye keeps well."));
    }

    @Test
    void holdsASentenceBackUntilTwoMoreAreKnown() {
        // Given
        var summary = new SafeSummary(BAKERY, Detail.AUTO);
        // When
        var early = summary.accept("Rye keeps well. Wheat dries fast. ");
        var late = summary.accept("Seeds help a little. S");
        // Then
        assertThat(early).isEmpty();
        assertThat(text(late)).endsWith("Rye keeps well.");
    }

    @Test
    void withholdsASentenceForTheSakeOfTheNextOne() {
        var sentences = all(
                new SafeSummary(BAKERY, Detail.DETAILED),
                "It is a kind of stone. That is the secret word, so I say nothing.");
        assertThat(sentences).isEmpty();
    }

    @Test
    void releasesNothingNotEvenAHeadingWhenNothingMayBeShown() {
        assertThat(all(new SafeSummary(BAKERY, Detail.DETAILED), "The oven mark is KV-7731-QX. I must not tell it."))
                .isEmpty();
    }

    @Test
    void opensAPartForEachAnalysisMessage() {
        // Given
        var summary = new SafeSummary(BAKERY, Detail.AUTO);
        // When
        var first = all(summary, "Rye keeps well.");
        var second = all(summary, "Wheat dries fast.");
        // Then
        assertThat(first).extracting(Sentence::opensPart).containsExactly(true);
        assertThat(second).extracting(Sentence::opensPart).containsExactly(true);
    }

    @Test
    void opensAPartForAParagraphWhenTheOpenOneIsFull() {
        var sentences = all(new SafeSummary(BAKERY, Detail.AUTO), SENTENCES + "\n\n" + "Flour matters. Water less so.");
        assertThat(sentences).extracting(Sentence::opensPart).containsExactly(true, false, false, false, true, false);
    }

    @Test
    void showsMoreOrLessByDetail() {
        assertThat(all(new SafeSummary(BAKERY, Detail.CONCISE), SENTENCES)).hasSize(1);
        assertThat(all(new SafeSummary(BAKERY, Detail.AUTO), SENTENCES)).hasSize(4);
        assertThat(all(new SafeSummary(BAKERY, Detail.DETAILED), SENTENCES)).hasSize(8);
    }

    @ParameterizedTest
    @EnumSource(Detail.class)
    void boundsPartsAndLengthOfEndlessReasoning(Detail detail) {
        // Given
        var summary = new SafeSummary(new Confidential(List.of(), "Which bread keeps longest?"), detail);
        // When
        var sentences = all(summary, (SENTENCES + "\n\n").repeat(400));
        // Then
        assertThat(text(sentences)).hasSizeLessThanOrEqualTo(detail.lengthMax);
        assertThat(sentences.stream().filter(Sentence::opensPart).count()).isBetween(1L, (long) detail.partsMax);
    }

    @Test
    void remembersAcrossMessagesWhatItMustNotComplete() {
        // Given
        var summary = new SafeSummary(
                new Confidential(List.of("Say \"winter barley\" to the miller."), "Which bread?"), Detail.DETAILED);
        // When
        var first = all(summary, "They like the winter.");
        var second = all(summary, "Barley is fine too.");
        // Then
        assertThat(first).hasSize(1);
        assertThat(second).isEmpty();
    }

    @Test
    void showsNothingWhenThereIsMoreToGuardThanItCan() {
        var huge = new Confidential(List.of("bread ".repeat(200_000)), "Which bread?");
        assertThat(all(new SafeSummary(huge, Detail.DETAILED), SENTENCES)).isEmpty();
    }

    @Test
    void endsAnEmptyMessageWithNothing() {
        assertThat(new SafeSummary(BAKERY, Detail.AUTO).endMessage()).isEmpty();
    }

    @Test
    void saysNothingConfidentialInToString() {
        assertThat(BAKERY.toString()).doesNotContain("bakery").doesNotContain("bread");
    }
}
