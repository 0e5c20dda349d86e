package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameFormatTest {
    private static final String SELF = "gateway-1";
    private static final int MANY_SILENT_PATIENCE = 20;

    private final FleetMembership fleet = new FleetMembership(SELF, 4, Duration.ofMillis(500));

    @Test
    void framesAreWrittenInTheNewestFormatThatAllRead() {
        // Given
        fleet.accept(reads("anna", 2));
        fleet.accept(reads("summarizer-1", 1));
        fleet.accept(reads("audit-1", 2));
        // When
        pass(MANY_SILENT_PATIENCE - 1);
        fleet.accept(reads("summarizer-1", 1));
        int before = fleet.frameFormat();
        pass(1);
        // Then
        assertThat(before).as("not listened for long enough").isOne();
        assertThat(fleet.frameFormat()).as("one knows the first only").isOne();

        // When the last one of an older version leaves
        fleet.left("summarizer-1");
        fleet.accept(reads("summarizer-2", 2));
        // Then
        assertThat(fleet.frameFormat()).isEqualTo(2);

        // When one of an older version comes back
        fleet.accept(reads("summarizer-3", 1));
        assertThat(fleet.frameFormat()).isOne();
        pass(MANY_SILENT_PATIENCE - 1);
        assertThat(fleet.frameFormat()).as("it may only be silent").isOne();
        pass(1);
        assertThat(fleet.frameFormat()).isEqualTo(2);
    }

    private static Heartbeat reads(String sender, int format) {
        return new Heartbeat(sender, null, 1, ServiceRole.SUMMARIZER, 0, List.of(), 0, format);
    }

    /// Lets so many of our own beats come back.
    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            fleet.accept(new Heartbeat(SELF, null, i));
        }
    }
}
