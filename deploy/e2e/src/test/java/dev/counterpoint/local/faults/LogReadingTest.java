package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.frame.ResponseLog;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogReadingTest {
    private static final ResponseId ID = new ResponseId(1, 2, 3, 4);
    private static final int RANDOM_LOGS = 20_000;
    private static final List<FrameKind> KINDS = List.of(
            FrameKind.ACCEPTED,
            FrameKind.REISSUE,
            FrameKind.FENCE,
            FrameKind.FENCE,
            FrameKind.DELTA,
            FrameKind.DELTA,
            FrameKind.DELTA,
            FrameKind.DELTA,
            FrameKind.SEALED_REASONING,
            FrameKind.PROGRESS,
            FrameKind.HANDOVER,
            FrameKind.END,
            FrameKind.OWNER_END,
            FrameKind.SUMMARY,
            FrameKind.SUMMARY,
            FrameKind.SUMMARY_END,
            FrameKind.SUMMARY_ABANDONED);

    private static Frame frame(FrameKind kind, int attempt, long nonce, int seq) {
        return new Frame(ID, attempt, nonce, seq, Lane.CONTROL, kind, seq, new byte[0], UnknownFields.NONE);
    }

    private static Frame accepted() {
        return frame(FrameKind.ACCEPTED, 1, 0, 0);
    }

    private static Frame fence(int attempt, long nonce) {
        return frame(FrameKind.FENCE, attempt, nonce, 0);
    }

    private static Frame delta(long nonce, int seq) {
        return frame(FrameKind.DELTA, 1, nonce, seq);
    }

    private static Frame end(long nonce, int seq) {
        return frame(FrameKind.END, 1, nonce, seq);
    }

    private static Frame reissue(int attempt) {
        return frame(FrameKind.REISSUE, attempt, 0, 0);
    }

    @Test
    void givesTheFloorToTheFirstFenceOfTheOpenAttempt() {
        var reading =
                LogReading.of(List.of(accepted(), fence(1, 7), fence(1, 8), delta(7, 0), delta(8, 0), fence(2, 9)));

        assertThat(reading.turns()).hasSize(1);
        assertThat(reading.turns().getFirst().said).containsExactly(delta(7, 0));
    }

    @Test
    void letsTheOldAttemptSpeakUntilTheNewFence() {
        var reading = LogReading.of(List.of(
                accepted(), fence(1, 7), delta(7, 0), reissue(2), delta(7, 1), fence(2, 8), delta(7, 2), delta(8, 0)));

        assertThat(reading.turns())
                .extracting(turn -> turn.said)
                .containsExactly(List.of(delta(7, 0), delta(7, 1)), List.of(delta(8, 0)));
    }

    @Test
    void countsNothingAfterAGapAndNoEndThatCountsOtherwise() {
        var reading = LogReading.of(
                List.of(accepted(), fence(1, 7), delta(7, 0), end(7, 2), delta(7, 2), delta(7, 1), end(7, 1)));

        assertThat(reading.turns().getFirst().said).containsExactly(delta(7, 0));
        assertThat(reading.ending()).isNull();
    }

    @Test
    void takesTheFirstEndingAndNoOther() {
        var owner = frame(FrameKind.OWNER_END, 1, 0, 0);

        var reading = LogReading.of(List.of(accepted(), fence(1, 7), end(7, 0), owner, delta(7, 0)));

        assertThat(reading.ending()).isEqualTo(end(7, 0));
        assertThat(reading.turns().getFirst().said).isEmpty();
    }

    /// Neither knows of the other, so a mistake in one shows here unless both made it.
    @Test
    void agreesWithTheReaderOfTheServicesOnRandomLogs() {
        var random = new Random(1);
        for (int number = 0; number < RANDOM_LOGS; number++) {
            var log = randomLog(random);
            var reading = LogReading.of(log);
            var valid = new ArrayList<Frame>();
            var theirs = new ResponseLog(_ -> true);
            for (var frame : log) {
                if (theirs.accept(frame) == ResponseLog.Verdict.VALID && isContent(frame)) {
                    valid.add(frame);
                }
            }

            assertThat(reading.turns().stream()
                            .flatMap(turn -> turn.said.stream())
                            .toList())
                    .as("log %d: %s", number, log)
                    .isEqualTo(valid.stream().filter(frame -> !isSummary(frame)).toList());
            assertThat(reading.summary())
                    .as("log %d: %s", number, log)
                    .isEqualTo(valid.stream().filter(LogReadingTest::isSummary).toList());
            assertThat(reading.ending() != null).as("log %d", number).isEqualTo(theirs.ended());
        }
    }

    private static boolean isContent(Frame frame) {
        return frame.kind() == FrameKind.DELTA || frame.kind() == FrameKind.SEALED_REASONING || isSummary(frame);
    }

    private static boolean isSummary(Frame frame) {
        return frame.kind() == FrameKind.SUMMARY || frame.kind() == FrameKind.SUMMARY_END;
    }

    /// Mostly sensible: numbers follow each other more often than not.
    private static List<Frame> randomLog(Random random) {
        var log = new ArrayList<>(List.of(accepted()));
        var next = new int[4];
        int length = 1 + random.nextInt(24);
        for (int at = 0; at < length; at++) {
            var kind = KINDS.get(random.nextInt(KINDS.size()));
            int nonce = 1 + random.nextInt(3);
            boolean counted = kind == FrameKind.DELTA || kind == FrameKind.SEALED_REASONING;
            int seq = random.nextInt(8) == 0 ? random.nextInt(4) : next[nonce];
            next[nonce] += counted ? 1 : 0;
            boolean summary = kind == FrameKind.SUMMARY || kind == FrameKind.SUMMARY_END;
            log.add(frame(kind, 1 + random.nextInt(3), nonce, summary ? random.nextInt(3) : seq));
        }
        return log;
    }
}
