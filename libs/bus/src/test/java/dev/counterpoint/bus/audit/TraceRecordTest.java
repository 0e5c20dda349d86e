package dev.counterpoint.bus.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.audit.TraceRecord.Partial;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.kafka.Topic;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceRecordTest {
    @Test
    void framesThatFitAreAllTaken() {
        var partial = Partial.fitting(OwnerEnd.Reason.EXPIRED, 1, List.of(new byte[10], new byte[20]));

        assertThat(partial.frames()).hasSize(2);
        assertThat(partial.cut()).isFalse();
    }

    @Test
    void framesBeyondTheLimitAreCutAndTheRecordSaysSo() {
        // Given frames of a megabyte that no record holds together
        var frames = Collections.nCopies(20, new byte[1_000_000]);
        // When
        var partial = Partial.fitting(OwnerEnd.Reason.EXPIRED, 1, frames);
        // Then
        assertThat(partial.cut()).isTrue();
        assertThat(partial.frames()).hasSizeBetween(15, 16);
        assertThat(recordOf(partial).encode()).hasSizeLessThan(Topic.MESSAGE_BYTES_MAX - 100_000);
    }

    @Test
    void manySmallFramesAreCutInTimeToo() {
        var partial = Partial.fitting(OwnerEnd.Reason.EXPIRED, 1, Collections.nCopies(3_000_000, new byte[1]));

        assertThat(partial.cut()).isTrue();
        assertThat(recordOf(partial).encode()).hasSizeLessThan(Topic.MESSAGE_BYTES_MAX - 100_000);
    }

    private static TraceRecord recordOf(Partial partial) {
        return new TraceRecord(new ResponseId(1, 0, 2, 3), "tenant", "key", "model", 1, new byte[500], partial);
    }
}
