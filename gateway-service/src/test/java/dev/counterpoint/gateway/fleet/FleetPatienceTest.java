package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetPatienceTest {
    private static final String SELF = "gateway-1";
    private static final int DEAD_AFTER = 4;

    private final FleetMembership fleet = new FleetMembership(SELF, DEAD_AFTER, Duration.ofMillis(500));

    @Test
    void aModelWhoseOnlyWorkerIsSilentIsOfferedForAWhileLonger() {
        // Given
        pass(1);
        heard("anna");
        // When
        pass(DEAD_AFTER);
        boolean atFirst = !fleet.models().isEmpty();
        pass(4 * DEAD_AFTER);
        // Then
        assertThat(atFirst).isTrue();
        assertThat(fleet.models()).isEmpty();
    }

    @Test
    void aModelWhoseWorkersLeftIsNotOffered() {
        // Given
        heard("anna");
        // When
        fleet.left("anna");
        // Then
        assertThat(fleet.models()).isEmpty();
    }

    @Test
    void theSlotsOfASilentWorkerDoNotCountBesideThoseOfALiveOne() {
        // Given
        heard("anna");
        pass(DEAD_AFTER);
        // When
        heard("bert");
        // Then
        assertThat(fleet.models())
                .singleElement()
                .satisfies(model -> assertThat(model.slots()).isEqualTo(4));
    }

    @Test
    void aGatewayLivesUntilItLeavesOrIsSilentForLong() {
        // Given
        beats("gateway-2");
        assertThat(fleet.livingGateways()).as("nobody knows yet").isEmpty();
        heard("anna");
        pass(5 * DEAD_AFTER);
        beats("gateway-3");
        beats("gateway-4");
        // When
        pass(DEAD_AFTER);
        fleet.left("gateway-4");
        // Then
        assertThat(fleet.livingGateways())
                .hasValueSatisfying(living -> assertThat(living).containsExactlyInAnyOrder(SELF, "gateway-3"));
    }

    private void beats(String gateway) {
        fleet.accept(new Heartbeat(gateway, null, 0));
    }

    private void heard(String worker) {
        fleet.accept(new Heartbeat(worker, new Heartbeat.Model("model", "", 1_000, 4, 4, List.of()), 0));
    }

    private void pass(int beats) {
        for (int i = 0; i < beats; i++) {
            beats(SELF);
        }
    }
}
