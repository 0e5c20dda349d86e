package dev.counterpoint.worker.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.job.BandSchedule;
import dev.counterpoint.bus.kafka.Topic.Band;
import dev.counterpoint.engine.EngineHealth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CapacityGateTest {
    private static final int SLOTS = 4;
    private static final long USUAL = 4_096;
    private static final Duration LONG = Duration.ofSeconds(30);

    private final PatientEngine engine = new PatientEngine();
    private final CapacityGate gate = new CapacityGate(engine, USUAL, new BandSchedule(Workbench.SHARES));

    @Test
    void aPlaceIsAsGoodAsASlotAndComesBackOnce() throws InterruptedException {
        // Given
        var place = take();
        int whileTaken = gate.free();
        // When
        place.close();
        place.close();
        // Then
        assertThat(whileTaken).isEqualTo(SLOTS - 1);
        assertThat(gate.free()).isEqualTo(SLOTS);
        assertThat(gate.awaitIdle(Duration.ZERO)).isTrue();
    }

    @Test
    void whatIsFullIsNotTaken() throws InterruptedException {
        // Given
        for (int i = 0; i < SLOTS; i++) {
            engineCounts(take());
        }
        // Then
        assertThat(gate.take(Band.HIGH)).isNull();
        assertThat(gate.await(Band.HIGH, Duration.ZERO)).isNull();
        assertThat(gate.awaitIdle(Duration.ZERO)).isFalse();
    }

    @Test
    void whatTheEngineDoesNotCountYetIsCountedHere() {
        // Given an engine with fewer slots than it once had
        engine.freeSlots = 1;
        // When
        var first = take();
        int beforeStart = gate.free();
        engineCounts(first);
        // Then
        assertThat(beforeStart).isZero();
        assertThat(gate.free()).isZero();

        // When
        engine.freeSlots = 1;
        // Then
        assertThat(gate.free()).isEqualTo(1);
    }

    @Test
    void withoutMemoryForAUsualRequestNothingIsTakenHoweverManySlotsAreFree() {
        // Given
        var first = take();
        engineCounts(first);
        first.firstToken();
        // When
        engine.freeTokens = USUAL - 1;
        // Then
        assertThat(gate.free()).isZero();

        // When
        engine.freeTokens = 2 * USUAL;
        // Then
        assertThat(gate.free()).isEqualTo(2);
    }

    @Test
    void whatHasNoTokenYetWillNeedAsMuchAsUsual() {
        // Given
        engine.freeTokens = 2 * USUAL;
        var first = take();
        engineCounts(first);
        int withItsPromptToCome = gate.free();
        // When
        first.firstToken();
        // Then
        assertThat(withItsPromptToCome).isEqualTo(1);
        assertThat(gate.free()).isEqualTo(2);
    }

    @Test
    void whatIsAloneAlwaysFits() {
        engine.freeTokens = 0;

        assertThat(gate.take(Band.NORMAL)).isNotNull();
        assertThat(gate.take(Band.NORMAL)).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READY")
    void anEngineThatIsNotReadyTakesNothing(EngineHealth.Status status) {
        engine.status = status;

        assertThat(gate.free()).isZero();
        assertThat(gate.take(Band.NORMAL)).isNull();
    }

    @Test
    void whoWaitsGetsThePlaceThatComesBack() throws Exception {
        // Given
        var places = new ArrayDeque<CapacityGate.Permit>();
        for (int i = 0; i < SLOTS; i++) {
            places.add(take());
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var waiting = threads.submit((Callable<CapacityGate.Permit>) () -> gate.await(Band.LOW, LONG));
            places.remove().close();
            // Then
            assertThat(waiting.get()).isNotNull();
            assertThat(gate.taken()).isEqualTo(SLOTS);
        }
    }

    @Test
    void whoWaitsGetsTheMemoryThatTheEngineGivesBackWithoutAWord() throws Exception {
        // Given
        engineCounts(take());
        engine.freeTokens = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var waiting = threads.submit((Callable<CapacityGate.Permit>) () -> gate.await(Band.NORMAL, LONG));
            engine.freeTokens = 4 * USUAL;
            // Then
            assertThat(waiting.get()).isNotNull();
        }
    }

    /// Two threads of each band take and give back as fast as they can: there are never more places than
    /// slots, and all come back.
    @Test
    void whoeverTakesAndGivesBackThereAreNeverMorePlacesThanSlots() throws Exception {
        var most = new AtomicInteger();
        var taken = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = new ArrayList<Future<?>>();
            for (var band : List.of(Band.HIGH, Band.NORMAL, Band.LOW, Band.HIGH, Band.NORMAL, Band.LOW)) {
                done.add(threads.submit(() -> {
                    var held = new ArrayDeque<CapacityGate.Permit>();
                    for (int i = 0; i < 2_000; i++) {
                        var place = i % 3 == 0 ? gate.take(band) : gate.await(band, Duration.ofMillis(1));
                        if (place != null) {
                            most.accumulateAndGet(taken.incrementAndGet(), Math::max);
                            held.add(place);
                        }
                        if (place == null || held.size() > 2) {
                            taken.addAndGet(-held.size());
                            held.forEach(CapacityGate.Permit::close);
                            held.clear();
                        }
                    }
                    taken.addAndGet(-held.size());
                    held.forEach(CapacityGate.Permit::close);
                    return null;
                }));
            }
            for (var each : done) {
                each.get();
            }
        }

        assertThat(most.get()).isBetween(1, SLOTS);
        assertThat(gate.free()).isEqualTo(SLOTS);
    }

    private CapacityGate.Permit take() {
        return Objects.requireNonNull(gate.take(Band.NORMAL));
    }

    private void engineCounts(CapacityGate.Permit place) {
        engine.freeSlots--;
        place.started();
    }
}
