package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Workers that say how often they beat, and what they read.
class BeatIntervalTest {
    private static final String SELF = "gateway-1";
    private static final String MODEL = "gpt-oss-20b";
    private static final int DEAD_AFTER = 4;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));

    @Test
    void aWorkerThatBeatsEverySecondIsDeadAfterFourSeconds() {
        // Given
        pass(1);
        beat("slow", 1_000);
        // When
        passBeside("quick", 2 * DEAD_AFTER - 1);
        boolean early = fleet.dead("slow");
        passBeside("quick", 1);
        // Then
        assertThat(early).isFalse();
        assertThat(fleet.dead("slow")).isTrue();
    }

    @Test
    void nobodyIsWaitedForLongerThanFourTimesAsLong() {
        // Given
        pass(1);
        beat("liar", Long.MAX_VALUE);
        // When
        passBeside("quick", 4 * DEAD_AFTER);
        // Then
        assertThat(fleet.dead("liar")).isTrue();
    }

    @Test
    void betweenTheBeatsOfSlowOnesNobodyIsLate() {
        // Given
        pass(1);
        beat("slow", 1_000);
        beat("other", 1_000);
        // When
        pass(3);
        boolean early = fleet.manyLate();
        pass(1);
        // Then
        assertThat(early).isFalse();
        assertThat(fleet.manyLate()).isTrue();
    }

    @Test
    void anInboxIsThatOfALiveWorkersLastBeat() {
        // Given
        pass(1);
        beat("slow", 500);
        beat("slow", 500);
        assertThat(fleet.inboxes(MODEL)).containsExactly(new InboxWorker("slow", 4, 2, Map.of(5, 9L), 2));
        // When
        fleet.took("slow");
        // Then
        assertThat(fleet.inboxes(MODEL)).containsExactly(new InboxWorker("slow", 4, 1, Map.of(5, 9L), 2));
        assertThat(fleet.inboxes("another")).isEmpty();

        // When
        pass(DEAD_AFTER);
        // Then
        assertThat(fleet.inboxes(MODEL)).isEmpty();
    }

    private void beat(String worker, long intervalMillis) {
        var model = new Heartbeat.Model(MODEL, "", 1_000, 4, 2, List.of());
        fleet.accept(new Heartbeat(worker, model, 0, null, 0, List.of(new InboxPartition(5, 9)), intervalMillis, 1));
    }

    private void passBeside(String worker, int beats) {
        for (int i = 0; i < beats; i++) {
            beat(worker, 500);
            pass(1);
        }
    }

    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            fleet.accept(new Heartbeat(SELF, null, i));
        }
    }
}
