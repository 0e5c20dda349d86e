package dev.counterpoint.summarizer.summarise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.summarizer.describe.Activity;
import dev.counterpoint.summarizer.describe.Description;
import dev.counterpoint.summarizer.describe.Subject;
import dev.counterpoint.summarizer.describe.Thought;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SummaryRhythmTest {
    private static final List<Activity> TURNS =
            List.of(Activity.UNDERSTANDING, Activity.CALCULATING, Activity.CHECKING, Activity.DRAFTING);

    private final List<Activity> told = new ArrayList<>();
    private SummaryRhythm rhythm = new SummaryRhythm(Detail.AUTO);
    private long reasoned;
    private long millis;

    private void thinks(Activity activity, int characters, int millisLater) {
        reasoned += characters;
        millis += millisLater;
        var description = new Description(activity, Subject.GENERAL, null);
        tell(rhythm.accept(new Thought(reasoned, description, true), millis));
    }

    private void waits(int millisLater) {
        millis += millisLater;
        tell(rhythm.accept(millis));
    }

    private void endsMessage() {
        tell(rhythm.endMessage());
        reasoned = 0;
    }

    private void tell(@Nullable Description description) {
        if (description != null) {
            told.add(description.activity());
        }
    }

    @Test
    void tellsTheFirstClearThoughtAtOnce() {
        thinks(Activity.UNDERSTANDING, 10, 0);
        assertThat(told).containsExactly(Activity.UNDERSTANDING);
    }

    @Test
    void waitsASecondForAClearThoughtAndNoLonger() {
        // Given
        thinks(Activity.THINKING_THROUGH, 10, 0);
        waits(999);
        assertThat(told).isEmpty();
        // When
        waits(1);
        // Then
        assertThat(told).containsExactly(Activity.THINKING_THROUGH);
    }

    @Test
    void prefersTheClearThoughtThatComesWithinTheSecond() {
        // When
        thinks(Activity.THINKING_THROUGH, 10, 0);
        thinks(Activity.PLANNING, 10, 500);
        waits(600);
        // Then
        assertThat(told).containsExactly(Activity.PLANNING);
    }

    @Test
    void tellsAChangeOnceEnoughWasReasoned() {
        // Given
        thinks(Activity.UNDERSTANDING, 100, 0);
        thinks(Activity.CALCULATING, 100, 0);
        assertThat(told).hasSize(1);
        // When
        thinks(Activity.CALCULATING, 300, 0);
        // Then
        assertThat(told).containsExactly(Activity.UNDERSTANDING, Activity.CALCULATING);
    }

    @Test
    void tellsAChangeOfASlowModelByTheClock() {
        // Given
        thinks(Activity.UNDERSTANDING, 20, 0);
        // When
        thinks(Activity.CALCULATING, 20, 5_000);
        // Then
        assertThat(told).containsExactly(Activity.UNDERSTANDING, Activity.CALCULATING);
    }

    @Test
    void saysEveryFifteenSecondsThatTheModelGoesOn() {
        // When
        for (int second = 0; second < 60; second++) {
            thinks(Activity.CALCULATING, 50, 1_000);
        }
        // Then
        assertThat(told).hasSize(4).containsOnly(Activity.CALCULATING);
    }

    @Test
    void doesNotSayAgainThatNothingIsClear() {
        // When
        for (int second = 0; second < 60; second++) {
            thinks(Activity.THINKING_THROUGH, 50, 1_000);
        }
        // Then
        assertThat(told).containsExactly(Activity.THINKING_THROUGH);
    }

    @Test
    void tellsAtTheEndWhatWasNotTold() {
        // Given
        thinks(Activity.UNDERSTANDING, 100, 0);
        thinks(Activity.CALCULATING, 100, 0);
        // When
        endsMessage();
        // Then
        assertThat(told).containsExactly(Activity.UNDERSTANDING, Activity.CALCULATING);
    }

    @Test
    void tellsSomethingOfEveryMessageThatHasAThought() {
        // When
        thinks(Activity.CALCULATING, 100, 0);
        endsMessage();
        thinks(Activity.CALCULATING, 100, 0);
        endsMessage();
        thinks(Activity.THINKING_THROUGH, 10, 0);
        endsMessage();
        endsMessage();
        // Then
        assertThat(told).containsExactly(Activity.CALCULATING, Activity.CALCULATING, Activity.THINKING_THROUGH);
    }

    @Test
    void aClockThatGoesBackHoldsNothingUpAndHurriesNothing() {
        // Given
        thinks(Activity.UNDERSTANDING, 100, 60_000);
        // When
        thinks(Activity.CALCULATING, 10, -30_000);
        thinks(Activity.CALCULATING, 10, 30_000);
        // Then
        assertThat(told).hasSize(1);
        // When
        thinks(Activity.CALCULATING, 10, 5_000);
        // Then
        assertThat(told).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1_000, 1, 6", "20_000, 4, 40", "600_000, 30, 256"})
    void spreadsItsPartsOverAnyLength(String length, int partsMin, int partsMax) {
        // Given
        int characters = Integer.parseInt(length.replace("_", ""));
        var ends = new ArrayList<Long>();
        // When
        for (int i = 0; reasoned < characters; i++) {
            int before = told.size();
            thinks(TURNS.get(i / 2 % TURNS.size()), 60, 0);
            if (told.size() > before) {
                ends.add(reasoned);
            }
        }
        // Then
        assertThat(told).hasSizeBetween(partsMin, partsMax);
        assertThat(ends.getLast()).isGreaterThan(characters * 7L / 10);
        for (int i = 1; i < told.size(); i++) {
            assertThat(told.get(i)).isNotEqualTo(told.get(i - 1));
        }
    }

    @Test
    void isConciseOrDetailedAsAsked() {
        assertThat(partsOf(Detail.CONCISE)).isLessThan(partsOf(Detail.AUTO));
        assertThat(partsOf(Detail.AUTO)).isLessThan(partsOf(Detail.DETAILED));
    }

    @ParameterizedTest
    @EnumSource(Detail.class)
    void hasABoundForEachMessage(Detail detail) {
        // Given
        rhythm = new SummaryRhythm(detail);
        // When
        for (int hour = 0; hour < 100; hour++) {
            for (int second = 0; second < 3_600; second += 10) {
                thinks(TURNS.get(second / 10 % TURNS.size()), 1_000, 10_000);
            }
        }
        // Then
        assertThat(told).hasSize(detail.partsMax);
    }

    private int partsOf(Detail detail) {
        rhythm = new SummaryRhythm(detail);
        told.clear();
        endsMessage();
        for (int i = 0; i < 60; i++) {
            thinks(TURNS.get(i / 2 % TURNS.size()), 60, 0);
        }
        endsMessage();
        return told.size();
    }
}
