package dev.counterpoint.gateway.log.owner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.gateway.admission.JobRouting;
import dev.counterpoint.gateway.admission.JobSpans;
import dev.counterpoint.gateway.admission.PendingJob;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Many gateways that judge many workers by their beats. Each build has a few of both; the whole:
/// `-Dtest=FleetAtScaleTest -Dscale.gateways=50 -Dscale.workers=500`.
class FleetAtScaleTest {
    private static final int GATEWAYS = Integer.getInteger("scale.gateways", 5);
    private static final int WORKERS = Integer.getInteger("scale.workers", 40);
    private static final long SEED = Long.getLong("scale.seed", 21);
    /// Of gateways when many fall silent at once.
    private static final int PATIENCE = 5 * SimulatedFleet.DEAD_AFTER;
    /// A worker's last beat comes before or after the gateway's own, so gateways count one more or less.
    private static final int BEATS_CROSS = 2;

    private static final int JOBS = 2_000;

    private final SimulatedFleet simulated = new SimulatedFleet(GATEWAYS, WORKERS, SEED);

    @Test
    void everyGatewayKnowsWhoDiedAndTakesNobodyWhoLivesForDead() {
        // Given
        simulated.pass(PATIENCE);
        var few = simulated.kill(WORKERS / 10);
        // When
        simulated.pass(SimulatedFleet.DEAD_AFTER - BEATS_CROSS);
        var early = dead();
        simulated.pass(BEATS_CROSS);
        var first = dead();
        simulated.stall(PATIENCE);
        var afterStall = dead();
        var most = simulated.kill(simulated.living().size() * 2 / 3);
        simulated.pass(PATIENCE - BEATS_CROSS);
        var patient = dead();
        simulated.pass(BEATS_CROSS);
        // Then
        assertThat(early).isEmpty();
        assertThat(first).containsExactlyInAnyOrderElementsOf(few);
        assertThat(afterStall).as("a bus that stood still").isEqualTo(first);
        assertThat(patient).as("many at once mean the bus").doesNotContainAnyElementsOf(most);
        assertThat(dead()).containsAll(few).containsAll(most).doesNotContainAnyElementsOf(simulated.living());
        assertThat(simulated.gateways)
                .allSatisfy(gateway -> assertThat(gateway.fleet.models())
                        .singleElement()
                        .satisfies(model -> assertThat(model.slots())
                                .isEqualTo(SimulatedFleet.SLOTS
                                        * simulated.living().size())));
    }

    @Test
    void gatewaysWithJobsThatWaitHearBeatsAtACostThatIsPrinted() {
        // Given
        simulated.pass(PATIENCE);
        simulated.gateways.forEach(SimulatedFleet.Gateway::costOfBeat);
        simulated.pass(PATIENCE);
        var idle = cost();
        // When
        simulated.gateways.forEach(FleetAtScaleTest::fill);
        simulated.pass(PATIENCE);
        var waiting = cost();
        // Then
        double beatsPerSecond = 2.0 * (GATEWAYS + WORKERS);
        System.out.printf(
                Locale.ROOT,
                "%d gateways, %d workers: %.0f beats/s of %.0f bytes to each gateway, %.1f us of CPU each (%.1f %% of"
                        + " a core), %.1f us while jobs wait (%.1f %%)%n",
                GATEWAYS,
                WORKERS,
                beatsPerSecond,
                idle.bytes(),
                idle.micros(),
                idle.micros() * beatsPerSecond / 1e4,
                waiting.micros(),
                waiting.micros() * beatsPerSecond / 1e4);
        assertThat(simulated.gateways).allMatch(gateway -> gateway.fleet.gateways() == GATEWAYS);
    }

    /// Those that every gateway takes for dead; all have to agree.
    private Set<String> dead() {
        var verdicts = simulated.gateways.stream()
                .map(gateway -> Set.copyOf(simulated.workers.stream()
                        .map(worker -> worker.name)
                        .filter(gateway.fleet::dead)
                        .toList()))
                .distinct()
                .toList();
        assertThat(verdicts).as("all agree").hasSize(1);
        return verdicts.getFirst();
    }

    /// The mean of all gateways.
    private SimulatedFleet.Cost cost() {
        var costs = simulated.gateways.stream()
                .map(SimulatedFleet.Gateway::costOfBeat)
                .toList();
        return new SimulatedFleet.Cost(
                costs.stream()
                        .mapToDouble(SimulatedFleet.Cost::micros)
                        .average()
                        .orElseThrow(),
                costs.stream().mapToDouble(SimulatedFleet.Cost::bytes).average().orElseThrow());
    }

    /// More jobs than the workers have room for.
    private static void fill(SimulatedFleet.Gateway gateway) {
        long now = System.currentTimeMillis();
        var routing = new JobRouting(SimulatedFleet.model(), Topic.Band.NORMAL, 0, null);
        for (int number = 0; number < JOBS; number++) {
            var ticket = new JobTicket(
                    ResponseId.create(now, 0),
                    number,
                    1,
                    "tenant",
                    Set.of(),
                    now + 600_000,
                    0,
                    1,
                    null,
                    false,
                    UnknownFields.NONE);
            gateway.admission.enter(new PendingJob(ticket, routing, current -> current, JobSpans.NONE));
        }
    }
}
