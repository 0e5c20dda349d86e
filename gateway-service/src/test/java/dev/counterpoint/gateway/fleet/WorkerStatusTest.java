package dev.counterpoint.gateway.fleet;

import static dev.counterpoint.gateway.fleet.WorkerStatus.State.DEAD;
import static dev.counterpoint.gateway.fleet.WorkerStatus.State.LEFT;
import static dev.counterpoint.gateway.fleet.WorkerStatus.State.READY;
import static dev.counterpoint.gateway.fleet.WorkerStatus.State.SILENT;
import static dev.counterpoint.gateway.fleet.WorkerStatus.State.WITHOUT_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Workers as operators see them.
class WorkerStatusTest {
    private static final String SELF = "gateway-1";
    private static final int DEAD_AFTER = 4;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));

    @Test
    void eachWorkerHasAStateAndTheTimeOfItsSilence() {
        // Given
        beat();
        heard("anna", 4);
        heard("bert", 0);
        heard("carl", 4);
        heard("dora", 4);
        fleet.left("dora");
        fleet.took("anna");
        // When
        for (int beat = 0; beat < DEAD_AFTER; beat++) {
            beat();
            heard("anna", 4);
            heard("bert", 0);
        }
        fleet.took("anna");
        // Then
        assertThat(fleet.workers())
                .extracting(WorkerStatus::id, WorkerStatus::state, WorkerStatus::silence)
                .containsExactly(
                        tuple("anna", READY, Duration.ZERO),
                        tuple("bert", WITHOUT_SLOTS, Duration.ZERO),
                        tuple("carl", DEAD, Duration.ofSeconds(2)),
                        tuple("dora", LEFT, Duration.ofSeconds(2)));
        assertThat(fleet.workers().getFirst().model().freeSlots()).isEqualTo(3);
    }

    @Test
    void aWorkerIsSilentWhileNoOtherCouldTakeItsResponses() {
        // Given
        beat();
        heard("anna", 4);
        // When
        for (int beat = 0; beat < DEAD_AFTER; beat++) {
            beat();
        }
        // Then
        assertThat(fleet.workers()).extracting(WorkerStatus::state).containsExactly(SILENT);
    }

    private void beat() {
        fleet.accept(new Heartbeat(SELF, null, 0));
    }

    private void heard(String worker, int slots) {
        fleet.accept(new Heartbeat(
                worker, new Heartbeat.Model("gpt-oss-20b", "a model", 131_072, slots, slots, List.of()), 0));
    }
}
