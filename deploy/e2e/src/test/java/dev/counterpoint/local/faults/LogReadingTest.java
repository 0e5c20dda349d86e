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

    /// Mostly sensible: numbers follow each other more often than not. A worker may speak before the response is
    /// accepted.
    private static List<Frame> randomLog(Random random) {
        var log = new ArrayList<Frame>();
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
        log.add(random.nextInt(4) == 0 ? random.nextInt(length) : 0, accepted());
        return log;
    }
}
