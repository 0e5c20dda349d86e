package dev.counterpoint.gateway.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.SummaryTier;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReasoningAvailabilityTest {
    @ParameterizedTest(name = "{0}, raw {1}, summary {2}: {3}")
    @CsvSource(
            nullValues = "-",
            value = {
                "TOLD, true, true, -",
                "TOLD, false, false, -",
                "MISSING, true, false, showed no reasoning that",
                "MISSING, false, true, showed no reasoning that",
                "MISSING, false, false, -",
                "AFTERWARDS, true, false, after its answer",
                "AFTERWARDS, false, true, -",
                "AFTERWARDS, false, false, -",
                "UNTOLD, true, false, cannot be told",
                "UNTOLD, false, true, cannot be told",
                "UNTOLD, false, false, cannot be told",
            })
    void whoAskedForReasoningReadsWhatThereIsNot(
            End.Reasoning reasoning, boolean raw, boolean due, @Nullable String expected) {
        // Given
        var unavailable = new ReasoningAvailability(raw, due);
        unavailable.reasoned();
        unavailable.shown(SummaryTier.DESCRIBED);
        var end = new End(End.Finish.STOP, 1, 0, 1, 0, 1, reasoning, List.of());
        // When
        var warnings = unavailable.warnings(new TurnEnding.Complete(end));
        // Then
        if (expected == null) {
            assertThat(warnings).isNull();
        } else {
            assertThat(Objects.requireNonNull(warnings))
                    .singleElement()
                    .asString()
                    .startsWith("reasoning_unavailable: ")
                    .contains(expected);
        }
    }

    @Test
    void aSummaryOfWhichAModelWroteAPartIsAWrittenOne() {
        // Given
        var availability = new ReasoningAvailability(false, true);
        availability.shown(SummaryTier.DESCRIBED);
        assertThat(availability.tier()).isEqualTo("described");
        // When
        availability.shown(SummaryTier.WRITTEN);
        availability.shown(SummaryTier.DESCRIBED);
        // Then
        assertThat(availability.tier()).isEqualTo("written");
    }

    @ParameterizedTest(name = "summary shown: {0}")
    @DisplayName("F9 what was shown before the server told reasoning is warned of in every mode")
    @CsvSource({"true, 2", "false, 3"})
    void whatWasShownTooEarlyIsWarnedOf(boolean shown, int warnings) {
        // Given
        var unavailable = answered(new ReasoningAvailability(false, true));
        unavailable.reasoned();
        if (shown) {
            unavailable.shown(SummaryTier.DESCRIBED);
        }
        var ending = new TurnEnding.Complete(new End(End.Finish.STOP, 1, 0, 1, 0, 1, End.Reasoning.LATE, List.of()));
        // When
        var all = Objects.requireNonNull(unavailable.warnings(List.of("a note"), ending));
        // Then
        assertThat(all).hasSize(warnings).startsWith("a note");
        assertThat(all.get(1)).startsWith("reasoning_late: ");
        assertThat(answered(new ReasoningAvailability(false, false)).warnings(null, ending))
                .singleElement()
                .asString()
                .startsWith("reasoning_late: ");
        assertThat(new ReasoningAvailability(true, false).warnings(ending)).isNull();
    }

    @ParameterizedTest(name = "{0}, {1}, undeclared {2}: {3}")
    @CsvSource({
        "STOP, TOLD, -, empty_answer: ",
        "STOP, MISSING, -, empty_answer: ",
        "STOP, UNTOLD, -, reasoning_unavailable: ",
        "CONTENT_FILTER, TOLD, rm_rf, undeclared_tool_call: the model called 'rm_rf'",
        "CONTENT_FILTER, TOLD, '', undeclared_tool_call: the model called a tool",
    })
    void everyEmptyAnswerHasOneWarning(End.Finish finish, End.Reasoning reasoning, String undeclared, String expected) {
        // Given
        var names = undeclared.equals("-") ? List.<String>of() : List.of(undeclared);
        var end = new End(finish, 1, 0, 1, 0, 1, reasoning, names);
        // When
        var warnings = new ReasoningAvailability(false, false).warnings(null, new TurnEnding.Complete(end));
        // Then
        assertThat(Objects.requireNonNull(warnings)).singleElement().asString().startsWith(expected);
    }

    @Test
    void anAnswerThatIsNotEmptyHasNone() {
        // Given
        var available = answered(new ReasoningAvailability(false, false));
        var end = new End(End.Finish.STOP, 1, 0, 1, 0, 1, End.Reasoning.TOLD, List.of());
        // Then
        assertThat(available.warnings(null, new TurnEnding.Complete(end))).isNull();
    }

    private static ReasoningAvailability answered(ReasoningAvailability available) {
        available.visible(new Delta(null, new int[] {1}, "a", false, List.of()));
        return available;
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"DESCRIBED, described", "UNNAMED, -"})
    void whatIsShownSaysItsTier(SummaryTier how, @Nullable String named) {
        // Given
        var summary = new ReasoningAvailability(false, true);
        assertThat(summary.tier()).isNull();
        // When
        summary.shown(how);
        // Then
        assertThat(summary.tier()).isEqualTo(named);
    }

    @Test
    void aFailureSaysItself() {
        var failed = new TurnEnding.Failed(
                new End(End.Finish.FAILED, 1, 0, 1, 0, 1, End.Reasoning.MISSING, List.of()), TurnEnding.Failure.ENGINE);

        assertThat(new ReasoningAvailability(true, true).warnings(failed)).isNull();
        assertThat(new ReasoningAvailability(true, true).warnings(null)).isNull();
    }
}
