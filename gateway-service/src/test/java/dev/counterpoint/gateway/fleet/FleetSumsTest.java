package dev.counterpoint.gateway.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.fleet.Heartbeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sums that are kept from beat to beat are those that are made anew.
class FleetSumsTest {
    private static final String SELF = "gateway-1";
    private static final int EVENTS = 400;
    private static final int SENDERS = 6;
    private static final int SLOTS_MAX = 3;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void sumsThatAreKeptAreThoseThatAreMadeAnew(long seed) {
        var random = new Random(seed);
        var asked = fleet();
        var history = new ArrayList<Consumer<FleetMembership>>();
        for (int i = 0; i < EVENTS; i++) {
            // Given
            var event = event(random);
            history.add(event);
            // When
            event.accept(asked);
            // Then
            var neverAsked = fleet();
            history.forEach(past -> past.accept(neverAsked));
            assertThat(asked.models()).as("event %d", i).isEqualTo(neverAsked.models());
            assertThat(asked.gateways()).as("event %d", i).isEqualTo(neverAsked.gateways());
        }
    }

    private static FleetMembership fleet() {
        return new FleetMembership(SELF, 2, Duration.ofMillis(500));
    }

    private static Consumer<FleetMembership> event(Random random) {
        int number = random.nextInt(SENDERS);
        var worker = "worker-" + number;
        return switch (random.nextInt(12)) {
            case 0 -> fleet -> fleet.accept(new Heartbeat(SELF, null, 0));
            case 1 -> fleet -> fleet.left(worker);
            case 2 -> fleet -> fleet.took(worker);
            case 3 -> fleet -> fleet.freed(worker);
            case 4 -> fleet -> fleet.accept(new Heartbeat("gateway-2", null, 0));
            case 5 -> fleet -> fleet.left("gateway-2");
            case 6 -> fleet -> fleet.dead(worker);
            default -> {
                var beat = new Heartbeat(worker, model("model-" + number % 2, random), 0);
                yield fleet -> fleet.accept(beat);
            }
        };
    }

    private static Heartbeat.Model model(String name, Random random) {
        int slots = random.nextInt(5) == 0 ? 0 : SLOTS_MAX;
        int context = random.nextInt(5) == 0 ? 1_000 : 2_000;
        return new Heartbeat.Model(name, "", context, slots, random.nextInt(slots + 1), List.of());
    }
}
