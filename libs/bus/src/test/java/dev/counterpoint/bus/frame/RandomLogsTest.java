package dev.counterpoint.bus.frame;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.ResponseLog.Verdict;
import dev.counterpoint.bus.wire.UnknownFields;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Random logs of frames of every kind, legal and not, read by [ResponseLog] and by [FlatLogRules].
class RandomLogsTest {
    private static final ResponseId RESPONSE = new ResponseId(1, 0, 2, 3);
    private static final int LOGS = 100_000;
    private static final int FRAMES_MAX = 24;
    private static final FrameKind[] KINDS = FrameKind.values();

    private final Random random = new Random(17);
    private final Set<FrameKind> counted = EnumSet.noneOf(FrameKind.class);

    @Test
    void theStatesSayWhatTheFlatRulesSay() {
        for (int i = 0; i < LOGS; i++) {
            // Given
            var log = new ResponseLog(_ -> true);
            var flat = new FlatLogRules();
            int frames = random.nextInt(FRAMES_MAX);
            for (int j = 0; j < frames; j++) {
                var frame = frame(j, flat);
                // When
                boolean counts = flat.accept(frame);
                // Then
                assertThat(log.accept(frame)).as("%s", frame).isEqualTo(counts ? Verdict.VALID : Verdict.VOID);
                assertSame(log, flat);
                if (counts) {
                    counted.add(frame.kind());
                }
            }
        }
        assertThat(counted).as("kinds that counted").isEqualTo(EnumSet.complementOf(EnumSet.of(FrameKind.UNKNOWN)));
    }

    /// Mostly the frame of a log that goes well, so that logs get far.
    private Frame frame(int position, FlatLogRules so) {
        var kind = position == 0 && random.nextInt(8) != 0 ? FrameKind.ACCEPTED : KINDS[random.nextInt(KINDS.length)];
        boolean ends = kind == FrameKind.END || kind == FrameKind.OWNER_END;
        if (ends && random.nextInt(4) != 0) {
            kind = FrameKind.DELTA;
        }
        int attempt = so.attempt + (kind == FrameKind.REISSUE ? 1 : 0) + odd();
        boolean summary = kind == FrameKind.SUMMARY || kind == FrameKind.SUMMARY_END;
        int seq = (summary ? so.nextSummary : so.nextSeq()) + odd();
        var holder = so.holder();
        long nonce = holder == null || random.nextInt(8) == 0 ? random.nextInt(3) : holder;
        return new Frame(
                RESPONSE, attempt, nonce, seq, Lane.CONTROL, kind, random.nextInt(4), new byte[0], UnknownFields.NONE);
    }

    private int odd() {
        return random.nextInt(10) == 0 ? random.nextInt(3) - 1 : 0;
    }

    private static void assertSame(ResponseLog log, FlatLogRules flat) {
        assertThat(log.attempt()).isEqualTo(flat.attempt);
        assertThat(log.fenced()).isEqualTo(flat.fenced);
        assertThat(log.broken()).isEqualTo(flat.broken());
        assertThat(log.ended()).isEqualTo(flat.ended);
        assertThat(log.nextSummary()).isEqualTo(flat.nextSummary);
        assertThat(log.holder()).isEqualTo(flat.holder());
        for (long nonce = 0; nonce < 3; nonce++) {
            assertThat(log.isHeldBy(nonce)).isEqualTo(flat.isHeldBy(nonce));
        }
    }
}
