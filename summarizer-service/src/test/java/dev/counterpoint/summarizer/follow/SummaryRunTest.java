package dev.counterpoint.summarizer.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryRunTest extends PlayedLog {

    @Test
    void saysASentenceAsSoonAsItIsCompleteAndClosesTheMessageWithIt() {
        // Given
        var holder = log.accepted().fence(1, 0xA);
        var reader = new Reader();
        // When
        holder.thinks(0, "One. Tw");
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.");
        // When
        holder.on(0, "o.").close(0);
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ Two.", "0.");
        assertThat(reader.run.done()).isFalse();
        // When
        holder.thinks(1, "Three.").close(1).answers(2, "Hello.").end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ Two.", "0.", "1¶Three.", "1.");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void givesOutEachFrameOnce() {
        // Given
        log.accepted().fence(1, 0xA).thinks(0, "One. Two.");
        var reader = new Reader().readAll();
        // Then
        assertThat(reader.run.due()).hasSize(2);
        assertThat(reader.run.due()).isEmpty();
    }

    @Test
    void goesOnInMidSentenceWhereAnotherWorkerTakesOver() {
        // Given
        var anna = log.accepted().fence(1, 0xA).thinks(0, "One. Tw");
        var reader = new Reader().follow();
        // When
        log.reissue(2);
        anna.on(0, "o a");
        var bert = log.fence(2, 0xB);
        anna.on(0, "VOID. ");
        bert.on(0, "nd a half. Three.").close(0).end();
        reader.follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ Two and a half.", "0+ Three.", "0.");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void leavesOutWhatDoesNotCount() {
        // Given
        var anna = log.accepted().fence(1, 0xA);
        var bert = log.fence(1, 0xB);
        bert.thinks(0, "Loser.");
        anna.thinks(0, "One.").loses().on(0, " After a gap.");
        log.reissue(2);
        var carl = log.fence(2, 0xC);
        carl.on(0, " Two.").close(0).end();
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ Two.", "0.");
        assertThat(reader.failures).isEmpty();
    }

    @Test
    void closesCallsInsideTheReasoningLaneWithoutSayingWhatIsInThem() {
        // Given
        var holder = log.accepted().fence(1, 0xA);
        holder.thinks(0, "One.").close(0).callsHidden(1, "Query.").close(1);
        holder.callsHidden(2, "Cut.").thinks(3, "Two.").close(3).end();
        // When
        new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0.", "1.", "2.", "3¶Two.", "3.");
    }

    @Test
    void closesReasoningThatAVisibleMessageCutsOff() {
        // Given
        var holder = log.accepted().fence(1, 0xA);
        // When
        holder.thinks(0, "One. And").answers(1, "Hello.");
        new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ And", "0.");
    }

    @Test
    void closesReasoningThatTheEndCutsOff() {
        // Given
        log.accepted().fence(1, 0xA).thinks(0, "One. And").end();
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0¶One.", "0+ And", "0.");
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void saysThatItWithholdsOnlyWhereThereWasSomethingToSayAndNothingWasSaid() {
        // Given
        var holder = log.accepted().fence(1, 0xA);
        holder.thinks(0, "A secret.").close(0);
        holder.thinks(1, " \n").close(1);
        holder.thinks(2, "Fine. A secret.").close(2);
        holder.thinks(3, "").close(3).end();
        // When
        new Reader().follow();
        // Then
        assertThat(told()).containsExactly("0!", "1.", "2¶Fine.", "2.", "3.");
    }

    @Test
    void isDoneAtTheEndWhereThereWasNoReasoning() {
        // Given
        log.accepted().fence(1, 0xA).answers(0, "Hello.").end();
        // When
        var reader = new Reader().follow();
        // Then
        assertThat(reader.run.done()).isTrue();
        assertThat(told()).isEmpty();
    }

    @Test
    void isDoneOnlyWhenTheLogHoldsAllOfIt() {
        // Given
        log.accepted().fence(1, 0xA).thinks(0, "One.").end();
        var reader = new Reader().readAll();
        // When
        reader.append();
        // Then
        assertThat(reader.run.done()).isFalse();
        assertThat(reader.readAll().run.done()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void saysNothingAfterTheOwnerEndedTheResponseOrTheSummary(boolean response) {
        // Given
        var holder = log.accepted().fence(1, 0xA).thinks(0, "One.");
        var reader = new Reader().follow();
        // When
        if (response) {
            log.ownerEnd();
        } else {
            log.abandoned();
        }
        holder.on(0, " Two.").close(0).end();
        reader.readAll();
        // Then
        assertThat(reader.run.due()).isEmpty();
        assertThat(reader.run.done()).isTrue();
    }

    @Test
    void aSuccessorSaysExactlyTheRestWhereverItsPredecessorStopped() {
        // Given
        writeLongAnswer();
        var whole = List.copyOf(frames);
        new Reader().follow();
        var uninterrupted = told();
        for (int stop = 2; stop < whole.size(); stop++) {
            frames.clear();
            frames.addAll(whole.subList(0, stop));
            new Reader().follow();
            frames.addAll(whole.subList(stop, whole.size()));
            // When
            var successor = new Reader().readAll();
            successor.append();
            successor.follow();
            // Then
            assertThat(told()).as("stopped at %d", stop).isEqualTo(uninterrupted);
            assertThat(successor.run.done()).isTrue();
            assertThat(summaryFrames()).as("no repeats at %d", stop).hasSize(uninterrupted.size());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anyNumberOfSummarizersThatSpeakAtOnceAndLoseFramesSayTheSame(long seed) {
        // Given
        writeLongAnswer();
        var whole = List.copyOf(frames);
        new Reader().follow();
        var expected = told();
        frames.clear();
        frames.addAll(whole.subList(0, 1));
        // When
        var readers = playAtRandom(whole, new Random(seed));
        // Then
        assertThat(told()).isEqualTo(expected);
        assertThat(readers).allMatch(reader -> reader.failures.isEmpty());
    }

    private void writeLongAnswer() {
        var anna = log.accepted().fence(1, 0xA);
        anna.thinks(0, "One. Tw").on(0, "o. Thr").on(0, "ee.").close(0);
        anna.thinks(1, "A secret.").close(1).callsHidden(2, "Query.").close(2).thinks(3, "Fo");
        log.reissue(2);
        var bert = log.fence(2, 0xB);
        anna.on(3, "VOID");
        bert.on(3, "ur. Five.")
                .close(3)
                .answers(4, "Hello.")
                .thinks(5, "Six. And")
                .end();
    }
}
