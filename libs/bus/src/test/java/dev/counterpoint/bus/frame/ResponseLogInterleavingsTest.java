package dev.counterpoint.bus.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.WrittenRules.Broken;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every order in which a log can be written, up to a length, read by the real [ResponseLog].
@Tag("random")
class ResponseLogInterleavingsTest {
    private static final int FRAMES_MAX = 8;
    /// One frame more takes four times as long.
    private static final int WALKED_FRAMES_MAX = Integer.getInteger("scale", 1) == 1 ? FRAMES_MAX - 1 : FRAMES_MAX;

    @Test
    void everyInterleavingKeepsEveryPromise() {
        // Given
        var interleavings = new Interleavings(LogModel::readWithResponseLog, false);
        // When
        var findings = interleavings.walk(WALKED_FRAMES_MAX);
        // Then
        assertThat(findings.violation()).isEmpty();
        assertThat(findings.states()).isGreaterThan(WALKED_FRAMES_MAX == FRAMES_MAX ? 500_000 : 100_000);
        assertThat(findings.completed()).isGreaterThan(1_000);
        assertThat(findings.endedByOwner()).isGreaterThan(1_000);
    }

    @Test
    void theRulesWrittenDownTwiceAgreeOnEveryLog() {
        // Given
        var differences = new StringBuilder();
        LogModel.Reader both = log -> {
            var reading = LogModel.readWithResponseLog(log);
            if (!reading.equals(WrittenRules.read(log, Broken.NOTHING))) {
                differences.append(LogModel.describe(log)).append('\n');
            }
            return reading;
        };
        // When
        new Interleavings(both, false).walk(FRAMES_MAX - 2);
        new SummaryInterleavings(both).walk(FRAMES_MAX - 1);
        // Then
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "VOID_FRAMES_ARE_COUNTED",
                "ANY_END_ENDS",
                "GAPS_ARE_IGNORED",
                "A_LATE_END_ENDS",
                "THE_LAST_FENCE_WINS",
                "ANY_ATTEMPT_FENCES"
            })
    void aBrokenRuleIsCaught(Broken broken) {
        // Given
        var interleavings = new Interleavings(log -> WrittenRules.read(log, broken), false);
        // When
        var findings = interleavings.walk(FRAMES_MAX);
        // Then
        assertThat(findings.violation()).isNotEmpty();
    }

    @Test
    void aWorkerThatDoesNotReadUpToItsFenceIsCaught() {
        // Given
        var interleavings = new Interleavings(LogModel::readWithResponseLog, true);
        // When
        var findings = interleavings.walk(FRAMES_MAX);
        // Then
        assertThat(findings.violation()).startsWith("a gap or a repeat");
    }

    @Test
    void everyResponseEndsOnceNothingGoesWrongAnyMore() {
        // Given
        var interleavings = new Interleavings(LogModel::readWithResponseLog, false);
        // When
        var findings = interleavings.walkOn(WALKED_FRAMES_MAX - 1);
        // Then
        assertThat(findings.violation()).isEmpty();
        assertThat(findings.states()).isGreaterThan(WALKED_FRAMES_MAX == FRAMES_MAX ? 100_000 : 25_000);
    }

    @Test
    void aResponseThatNeverEndsIsCaught() {
        // Given
        var interleavings = new Interleavings(log -> WrittenRules.read(log, Broken.NO_ATTEMPT_OPENS), false);
        // When
        var findings = interleavings.walkOn(FRAMES_MAX - 1);
        // Then
        assertThat(findings.violation()).startsWith("never ends");
    }

    @Test
    void everySummaryIsToldOnceWhoeverWritesIt() {
        // Given
        var interleavings = new SummaryInterleavings(LogModel::readWithResponseLog);
        // When
        var findings = interleavings.walk(FRAMES_MAX + 1);
        // Then
        assertThat(findings.violation()).isEmpty();
        assertThat(findings.logs()).isGreaterThan(50_000);
        assertThat(findings.settled()).isGreaterThan(1_000);
        assertThat(findings.abandoned()).isGreaterThan(100);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"EVERY_SENTENCE_AT_A_PLACE_COUNTS", "AN_ABANDONED_SUMMARY_GOES_ON", "AN_ANSWER_ENDS_ITS_SUMMARY"})
    void aBrokenRuleOfSummariesIsCaught(Broken broken) {
        // Given
        var interleavings = new SummaryInterleavings(log -> WrittenRules.read(log, broken));
        // When
        var findings = interleavings.walk(FRAMES_MAX + 1);
        // Then
        assertThat(findings.violation()).isNotEmpty();
    }
}
