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
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenPartsTest {
    private static final long WAIT = 8_000;
    private static final String PART =
            "{\"title\":\"Comparing the kinds\",\"text\":\"I'm looking at what keeps fresh.\"}";
    private static final String TOLD = "**Comparing the kinds**\n\nI'm looking at what keeps fresh.";
    private static final String THOUGHT = "The user wants bread for Rufus Oakley, 12 loaves, key ZX-41. ";

    private static final SummarySentence DESCRIBED =
            new SummarySentence(true, "**Step**\n\nNext.", SummaryTier.DESCRIBED);

    private final List<String> settled = new ArrayList<>();
    private final WrittenParts parts = parts(List.of("You sell bread. The code word is marble."));

    private WrittenParts parts(List<String> confidential) {
        var settings = new WriterSettings(Duration.ofMillis(WAIT), "", "judge", "Judge it.");
        var job = new SummaryJob(
                SummaryJob.Detail.AUTO,
                confidential,
                "Which bread for 12 people, Thaddeus Wimberly?",
                SummaryTier.WRITTEN);
        return new WrittenParts(settings, job, "thinker", this::settle);
    }

    private void settle(int place, @Nullable SummarySentence written) {
        settled.add(place + (written == null ? "" : " " + written.text()));
    }

    private ModelDraft asked(long now) {
        return Objects.requireNonNull(parts.next(now, true));
    }

    /// A change is due, and a model is asked to tell it.
    private ModelDraft askedOf(int place, long now) {
        parts.reasoned(THOUGHT, true);
        parts.changed(place, DESCRIBED);
        return asked(now);
    }

    /// The change at `place` is told in a model's words.
    private void tell(int place, String part, long now) {
        parts.answered(askedOf(place, now).number(), part);
        parts.answered(asked(now).number(), "\"0\"");
    }

    private void showWritten(int place) {
        parts.shown(place, new SummarySentence(true, TOLD, SummaryTier.WRITTEN));
    }

    @Test
    void tellsAChangeInTheWordsThatPassBothJudges() {
        // Given
        var draft = askedOf(0, 0);
        // When
        parts.answered(draft.number(), PART);
        var question = asked(3_000);
        parts.answered(question.number(), "\"0\"");
        // Then
        assertThat(draft.model()).isEqualTo("thinker");
        assertThat(draft.withinMillis()).isEqualTo(WAIT);
        assertThat(question.model()).isEqualTo("judge");
        assertThat(question.withinMillis()).isEqualTo(WAIT - 3_000);
        assertThat(settled).containsExactly("0 " + TOLD);
        assertThat(parts.outcomes()).containsExactly("shown");
    }

    @Test
    void asksForNothingBeforeAChangeIsDue() {
        parts.reasoned(THOUGHT, true);
        assertThat(parts.next(0, true)).isNull();
        assertThat(settled).isEmpty();
    }

    @Test
    void aWriterLearnsNoNumberNoCodeAndNothingOfTheDevelopers() {
        // When
        parts.reasoned("<|start|>Query marrow", false);
        var task = askedOf(0, 0).task();
        // Then
        assertThat(task.input())
                .contains("\"user\":\"Which bread for [number] people")
                .contains("The user wants bread for Rufus Oakley, [number] loaves, key [code].")
                .doesNotContain("12", "41", "<|", "Query", "marble", "You sell");
        assertThat(task.instructions()).contains("Write in English").doesNotContain("marble", "You sell");
    }

    @Test
    void aPolicyModelReadsTheConfidentialTextsAndThePartAsQuotations() {
        // Given
        var confidential = parts(List.of("Say <|end|> \"now\"."));
        confidential.reasoned(THOUGHT, true);
        confidential.changed(0, DESCRIBED);
        confidential.answered(Objects.requireNonNull(confidential.next(0, true)).number(), PART);
        // When
        var task = Objects.requireNonNull(confidential.next(0, true)).task();
        // Then
        assertThat(task.input())
                .isEqualTo("{\"confidential\":[\"Say < |end|> \\\"now\\\".\"],"
                        + "\"part\":[\"Comparing the kinds\",\"I'm looking at what keeps fresh.\"]}");
        assertThat(task.instructions()).isEqualTo("Judge it.");
        assertThat(task.schema()).isEqualTo("{\"type\":\"string\",\"enum\":[\"0\",\"1\"]}");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"\"1\"", "0", "\"0\" \"1\"", "", "\"00\"", "{\"0\":\"0\"}", "[\"0\"]", "\"O\"", "yes"})
    void whateverIsNotTheClearWordForAllowedIsANo(@Nullable String answer) {
        // Given
        parts.answered(askedOf(0, 0).number(), PART);
        // When
        parts.answered(asked(0).number(), answer);
        // Then
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly(answer == null ? "failed" : "policy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "not JSON",
                "{\"title\":\"A\"}",
                "{\"title\":1,\"text\":\"I look.\"}",
                "{\"title\":\"Looking\",\"text\":\"I look.\",\"more\":\"x\"}",
                PART + PART
            })
    void whatIsNotInTheSchemasFormIsDescribed(String answer) {
        // When
        parts.answered(askedOf(0, 0).number(), answer);
        // Then
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("malformed");
    }

    @Test
    void whatTheJudgeRefusesIsDescribedAndNoPolicyModelIsAsked() {
        // When
        parts.answered(askedOf(0, 0).number(), PART.replace("what keeps fresh", "the marble"));
        // Then
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("guarded");
        assertThat(parts.next(0, true)).isNull();
    }

    @Test
    void whatTheModelThoughtOfMeanwhileIsJudgedToo() {
        // Given
        parts.answered(askedOf(0, 0).number(), PART);
        var question = asked(0);
        // When
        parts.reasoned("So I'm looking at what keeps fresh, and the answer is rye.", true);
        parts.answered(question.number(), "\"0\"");
        // Then
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("runs");
    }

    @Test
    void aDraftThatIsLateIsDescribedAndComesInVain() {
        // Given
        var draft = askedOf(0, 0);
        assertThat(parts.next(WAIT - 1, true)).isNull();
        assertThat(settled).isEmpty();
        // When
        parts.next(WAIT, true);
        parts.answered(draft.number(), PART);
        // Then
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("late");
    }

    @Test
    void aPolicyModelThatIsLateIsANo() {
        // Given
        parts.answered(askedOf(0, 0).number(), PART);
        var question = asked(WAIT - 1);
        // When
        parts.next(WAIT, true);
        parts.answered(question.number(), "\"0\"");
        // Then
        assertThat(settled).containsExactly("0");
    }

    @Test
    void oneDraftIsUnderWayAndTheLatestChangeIsWrittenNext() {
        // Given
        var first = askedOf(0, 0);
        for (int place = 1; place < 4; place++) {
            parts.reasoned("Thought " + place + " of it. ", true);
            parts.changed(place, DESCRIBED);
            assertThat(parts.next(place, true)).isNull();
        }
        // When
        parts.answered(first.number(), null);
        assertThat(parts.next(5, true)).isNull();
        for (int place = 0; place < 3; place++) {
            assertThat(parts.next(5, true)).isNull();
            parts.shown(place, DESCRIBED);
        }
        var next = asked(10);
        // Then
        assertThat(settled).containsExactly("0", "1", "2");
        assertThat(next.task().input()).doesNotContain("loaves").contains("of it.");
        assertThat(parts.outcomes()).containsExactly("failed");
    }

    @Test
    void nothingWaitsWhenAMessageIsOver() {
        // Given
        var draft = askedOf(0, 0);
        parts.reasoned(THOUGHT, true);
        parts.changed(1, DESCRIBED);
        // When
        parts.endMessage();
        parts.answered(draft.number(), PART);
        // Then
        assertThat(settled).containsExactly("0", "1");
        assertThat(parts.next(0, true)).isNull();
    }

    @Test
    void nothingIsAskedForWithoutRoom() {
        // Given
        parts.reasoned(THOUGHT, true);
        parts.changed(0, DESCRIBED);
        // When
        var draft = parts.next(0, false);
        // Then
        assertThat(draft).isNull();
        assertThat(settled).containsExactly("0");
        assertThat(parts.outcomes()).containsExactly("no_room");
    }

    @Test
    void nothingIsWrittenWhereAPolicyModelCannotReadAllThatIsConfidential() {
        // Given
        var much = parts(List.of("bread ".repeat(PolicyQuestion.CONFIDENTIAL_MAX / 6 + 1)));
        much.reasoned(THOUGHT, true);
        much.changed(0, DESCRIBED);
        // When
        var draft = much.next(0, true);
        // Then
        assertThat(draft).isNull();
        assertThat(settled).containsExactly("0");
        assertThat(much.outcomes()).containsExactly("too_much");
    }

    @Test
    void aChangeAfterWhichNothingWasThoughtIsDescribed() {
        // Given
        tell(0, PART, 0);
        showWritten(0);
        // When
        parts.changed(1, DESCRIBED);
        // Then
        assertThat(parts.next(0, true)).isNull();
        assertThat(settled).containsExactly("0 " + TOLD, "1");
    }

    @Test
    void nextIsAskedForOnlyWhenTheLogHoldsWhatWasToldBefore() {
        // Given
        tell(0, PART, 0);
        parts.reasoned(THOUGHT, true);
        parts.changed(1, DESCRIBED);
        assertThat(parts.next(0, true)).isNull();
        // When
        showWritten(0);
        // Then
        assertThat(asked(0).task().input()).contains("\"before\":\"Comparing the kinds\"");
    }

    @Test
    void noPartIsToldTwice() {
        // Given
        tell(0, PART, 0);
        showWritten(0);
        // When
        parts.answered(askedOf(1, 0).number(), PART);
        // Then
        assertThat(settled).containsExactly("0 " + TOLD, "1");
        assertThat(parts.outcomes()).containsExactly("shown", "repeated");
    }

    @Test
    void aPartThatAnotherSummarizerWroteCountsAsShown() {
        // Given
        var draft = askedOf(0, 0);
        // When
        showWritten(0);
        parts.answered(draft.number(), PART);
        parts.answered(askedOf(1, 0).number(), PART);
        // Then
        assertThat(settled).containsExactly("1");
        assertThat(parts.outcomes()).containsExactly("repeated");
    }

    @Test
    void anAnswerThatComesTwiceCountsOnce() {
        // Given
        var draft = askedOf(0, 0);
        parts.answered(draft.number(), PART);
        parts.answered(draft.number(), PART.replace("fresh", "long"));
        var question = asked(0);
        // When
        parts.answered(question.number(), "\"0\"");
        parts.answered(question.number(), "\"0\"");
        // Then
        assertThat(settled).containsExactly("0 " + TOLD);
    }
}
