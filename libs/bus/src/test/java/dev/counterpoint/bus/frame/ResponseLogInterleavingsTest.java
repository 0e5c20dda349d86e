package dev.counterpoint.bus.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.frame.WrittenRules.Broken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every order in which a log can be written, up to a length, read by the real [ResponseLog].
class ResponseLogInterleavingsTest {
    private static final int FRAMES_MAX = 8;

    @Test
    void everyInterleavingKeepsEveryPromise() {
        // Given
        var interleavings = new Interleavings(LogModel::readWithResponseLog, false);
        // When
        var findings = interleavings.walk(FRAMES_MAX);
        // Then
        assertThat(findings.violation()).isEmpty();
        assertThat(findings.states()).isGreaterThan(500_000);
        assertThat(findings.completed()).isGreaterThan(1_000);
        assertThat(findings.endedByOwner()).isGreaterThan(1_000);
    }

    @Test
    void theRulesWrittenDownTwiceAgreeOnEveryLog() {
        // Given
        var differences = new StringBuilder();
        var interleavings = new Interleavings(
                log -> {
                    var reading = LogModel.readWithResponseLog(log);
                    if (!reading.equals(WrittenRules.read(log, Broken.NOTHING))) {
                        differences.append(LogModel.describe(log)).append('\n');
                    }
                    return reading;
                },
                false);
        // When
        interleavings.walk(FRAMES_MAX - 2);
        // Then
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
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
}
