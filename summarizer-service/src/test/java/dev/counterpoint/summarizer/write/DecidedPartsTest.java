package dev.counterpoint.summarizer.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.SummarySentence;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.SummaryJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecidedPartsTest {
    private static final long WAIT = 1_000;
    private static final String COMPARING = "{\"activity\":\"comparing\",\"subject\":\"cooking\",\"phrase\":\"none\"}";
    private static final String THOUGHT = "The user wants bread for Rufus Oakley, 12 loaves, key ZX-41. ";
    private static final SummarySentence CUES =
            new SummarySentence(true, "**Thinking it through**\n\nI go on.", SummaryTier.DESCRIBED);

    private final List<String> settled = new ArrayList<>();
    private final DecidedParts parts = new DecidedParts(
            new DescriberSettings(Duration.ofMillis(WAIT), ""),
            new SummaryJob(
                    SummaryJob.Detail.AUTO,
                    List.of("The code word is marble."),
                    "Which bread for 12, as in \"Baker Street\" and `bread.py`?"),
            "thinker",
            this::settle);

    private void settle(int place, @Nullable SummarySentence told) {
        settled.add(place + (told == null ? "" : " " + told.tier() + " " + told.text()));
    }

    private ModelDraft asked(long now) {
        return Objects.requireNonNull(parts.next(now, true));
    }

    private ModelDraft askedOf(int place, long now) {
        parts.reasoned(THOUGHT, true);
        parts.changed(place, CUES);
        return asked(now);
    }

    private String told(int place) {
        return settled.get(place).substring((place + " DECIDED ").length());
    }

    @Test
    void templatesTellWhatAModelChose() {
        // When
        var draft = askedOf(0, 0);
        parts.answered(draft.number(), COMPARING);
        // Then
        assertThat(draft.model()).isEqualTo("thinker");
        assertThat(draft.withinMillis()).isEqualTo(WAIT);
        assertThat(settled).hasSize(1).first().asString().startsWith("0 DECIDED **Comparing");
        assertThat(parts.outcomes()).containsExactly("decided");
    }

    @Test
    void aPhraseOfTheUsersIsShownByItsNumber() {
        parts.answered(askedOf(0, 0).number(), COMPARING.replace("none", "1").replace("cooking", "general"));
        assertThat(told(0)).contains("“Baker Street”");
    }

    @Test
    void aModelLearnsNoNumberNoCodeAndNothingOfTheDevelopers() {
        // When
        parts.reasoned("<|start|>Query marrow", false);
        var task = askedOf(0, 0).task();
        // Then
        assertThat(task.input())
                .contains("The user wants bread for Rufus Oakley, [number] loaves, key [code].")
                .doesNotContain("41", "<|", "Query", "marble");
        assertThat(task.instructions()).doesNotContain("marble");
        assertThat(task.schema())
                .contains("\"comparing\"", "\"cooking\"", "\"none\"", "\"additionalProperties\":false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "not JSON",
                "{\"activity\":\"comparing\",\"subject\":\"cooking\"}",
                "{\"activity\":\"COMPARING\",\"subject\":\"cooking\",\"phrase\":\"none\"}",
                "{\"activity\":\"comparing\",\"subject\":\"marble\",\"phrase\":\"none\"}",
                "{\"activity\":\"comparing\",\"subject\":\"cooking\",\"phrase\":\"9\"}",
                "{\"activity\":\"comparing\",\"subject\":\"cooking\",\"phrase\":\"none\",\"more\":\"x\"}"
            })
    void whatIsNoChoiceFromTheValuesIsDescribedByCues(String answer) {
        parts.answered(askedOf(0, 0).number(), answer);
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("malformed");
    }

    @Test
    void aModelThatIsLateOrFailsLeavesItToTheCues() {
        // Given
        var late = askedOf(0, 0);
        assertThat(parts.next(WAIT - 1, true)).isNull();
        // When
        parts.next(WAIT, true);
        parts.answered(late.number(), COMPARING);
        parts.shown(0, CUES);
        parts.answered(askedOf(1, WAIT).number(), null);
        // Then
        assertThat(settled).containsExactly("0", "1");
        assertThat(parts.outcomes()).containsExactly("late", "failed");
    }

    @Test
    void nothingWaitsWhenAMessageIsOver() {
        // Given
        var draft = askedOf(0, 0);
        parts.reasoned(THOUGHT, true);
        parts.changed(1, new SummarySentence(true, "**Other**\n\nWords.", SummaryTier.DESCRIBED));
        // When
        parts.endMessage();
        parts.answered(draft.number(), COMPARING);
        // Then
        assertThat(settled).containsExactly("0", "1");
        assertThat(parts.next(0, true)).isNull();
    }

    @Test
    void theSameChoiceIsToldInOtherWords() {
        // When
        for (int place = 0; place < 6; place++) {
            parts.answered(askedOf(place, 0).number(), COMPARING);
            parts.shown(place, new SummarySentence(true, told(place), SummaryTier.DECIDED));
        }
        // Then
        for (int place = 1; place < 6; place++) {
            assertThat(told(place)).isNotEqualTo(told(place - 1));
        }
    }

    @Test
    void cuesThatSayWhatAModelSaidBeforeAreToldInOtherWords() {
        // Given
        parts.answered(askedOf(0, 0).number(), COMPARING);
        var before = told(0);
        parts.shown(0, new SummarySentence(true, before, SummaryTier.DECIDED));
        // When
        parts.reasoned(THOUGHT, true);
        parts.changed(1, new SummarySentence(true, before, SummaryTier.DESCRIBED));
        parts.next(0, false);
        // Then
        assertThat(told(1)).startsWith("**Comparing").isNotEqualTo(before);
        assertThat(parts.outcomes()).containsExactly("decided", "no_room");
    }

    @Test
    void oneQuestionIsUnderWayAndTheLatestChangeIsDecidedNext() {
        // Given
        var first = askedOf(0, 0);
        for (int place = 1; place < 4; place++) {
            parts.reasoned("Thought " + place + " of it. ", true);
            parts.changed(place, new SummarySentence(true, "**Step**\n\nNext " + place, SummaryTier.DESCRIBED));
            assertThat(parts.next(place, true)).isNull();
        }
        // When
        parts.answered(first.number(), COMPARING);
        parts.next(5, true);
        for (int place = 0; place < 3; place++) {
            parts.shown(place, new SummarySentence(true, "**Step**\n\nNext " + place, SummaryTier.DESCRIBED));
        }
        // Then
        assertThat(asked(10).task().input()).doesNotContain("loaves").contains("of it.");
        assertThat(settled).hasSize(3).endsWith("1", "2");
    }
}
