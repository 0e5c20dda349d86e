package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A gateway keeps a bounded number of senders, and each start of a worker is a new one.
class FleetRestartsTest {
    private static final int SENDERS_MAX = 4_096;

    private final FleetMembership fleet = new FleetMembership("gateway-1", 4, Duration.ofMillis(500));

    @Test
    void aNewWorkerIsHeardHoweverManyWereRestartedBefore() {
        // Given
        for (int restart = 0; restart < SENDERS_MAX; restart++) {
            fleet.accept(worker("worker-" + restart));
            fleet.left("worker-" + restart);
        }
        fleet.accept(new Heartbeat("gateway-1", null, 0));
        // When
        fleet.accept(worker("anna"));
        fleet.accept(worker("bert"));
        // Then
        assertThat(fleet.models()).extracting(Heartbeat.Model::slots).containsExactly(2);
        assertThat(fleet.dead("worker-" + (SENDERS_MAX - 1))).isTrue();
    }

    @Test
    void moreThatLiveThanThereIsRoomForChangeNothing() {
        // Given
        for (int number = 0; number < SENDERS_MAX; number++) {
            fleet.accept(worker("worker-" + number));
        }
        // When
        fleet.accept(worker("anna"));
        // Then
        assertThat(fleet.models()).extracting(Heartbeat.Model::slots).containsExactly(SENDERS_MAX);
    }

    @Test
    void aWorkerThatWasHeardBeforeThisGatewayOnlyIsNotOffered() {
        // Given
        fleet.accept(worker("of-yesterday"));
        // When
        fleet.accept(new Heartbeat("gateway-1", null, 0));
        // Then
        assertThat(fleet.models()).isEmpty();
        assertThat(fleet.mayExist("gpt-oss-20b")).isTrue();
    }

    private static Heartbeat worker(String name) {
        return new Heartbeat(name, new Heartbeat.Model("gpt-oss-20b", "a model", 131_072, 1, 1, List.of()), 0);
    }
}
