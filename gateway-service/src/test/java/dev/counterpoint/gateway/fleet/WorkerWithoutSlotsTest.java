package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A worker that offers no slots, as gateways see it.
class WorkerWithoutSlotsTest {
    private static final String SELF = "gateway-1";
    private static final int DEAD_AFTER = 4;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));

    @Test
    void itServesNobodyAndIsSeenToDie() {
        // Given
        heard("alone", 0);
        boolean servesNobody = fleet.models().isEmpty();
        // When
        heard("anna", 4);
        // Then
        assertThat(servesNobody).isTrue();
        assertThat(fleet.models()).extracting(Heartbeat.Model::slots).containsExactly(4);

        // When it dies beside another one
        for (int beat = 0; beat < DEAD_AFTER; beat++) {
            fleet.accept(new Heartbeat(SELF, null, 0));
            heard("anna", 4);
        }
        // Then
        assertThat(fleet.dead("alone")).isTrue();
    }

    private void heard(String worker, int slots) {
        fleet.accept(new Heartbeat(
                worker, new Heartbeat.Model("gpt-oss-20b", "a model", 131_072, slots, slots, List.of()), 0));
    }
}
