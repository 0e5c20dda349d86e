package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.EngineHealth;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
    private final CapacityGate gate = new CapacityGate(engine, () -> USUAL);

    @Test
    void aPermitIsAsGoodAsASlotAndComesBackOnce() throws InterruptedException {
        // Given
        var permit = acquire();
        int whileTaken = gate.availablePermits();
        // When
        permit.close();
        permit.close();
        // Then
        assertThat(whileTaken).isEqualTo(SLOTS - 1);
        assertThat(gate.availablePermits()).isEqualTo(SLOTS);
        assertThat(gate.awaitIdle(Duration.ZERO)).isTrue();
    }

    @Test
    void whatIsFullIsNotTaken() throws InterruptedException {
        // Given
        for (int i = 0; i < SLOTS; i++) {
            engineCounts(acquire());
        }
        // Then
        assertThat(gate.tryAcquire(Duration.ZERO)).isNull();
        assertThat(gate.awaitIdle(Duration.ZERO)).isFalse();
    }

    @Test
    void whatTheEngineDoesNotCountYetIsCountedHere() throws InterruptedException {
        // Given an engine with fewer slots than it once had
        engine.freeSlots = 1;
        // When
        var first = acquire();
        int beforeStart = gate.availablePermits();
        engineCounts(first);
        // Then
        assertThat(beforeStart).isZero();
        assertThat(gate.availablePermits()).isZero();

        // When
        engine.freeSlots = 1;
        // Then
        assertThat(gate.availablePermits()).isEqualTo(1);
    }

    @Test
    void withoutMemoryForAUsualRequestNothingIsTakenHoweverManySlotsAreFree() throws InterruptedException {
        // Given
        var first = acquire();
        engineCounts(first);
        first.firstToken();
        // When
        engine.freeTokens = USUAL - 1;
        // Then
        assertThat(gate.availablePermits()).isZero();

        // When
        engine.freeTokens = 2 * USUAL;
        // Then
        assertThat(gate.availablePermits()).isEqualTo(2);
    }

    @Test
    void whatHasNoTokenYetWillNeedAsMuchAsUsual() throws InterruptedException {
        // Given
        engine.freeTokens = 2 * USUAL;
        var first = acquire();
        engineCounts(first);
        int withItsPromptToCome = gate.availablePermits();
        // When
        first.firstToken();
        // Then
        assertThat(withItsPromptToCome).isEqualTo(1);
        assertThat(gate.availablePermits()).isEqualTo(2);
    }

    @Test
    void whatIsAloneAlwaysFits() throws InterruptedException {
        engine.freeTokens = 0;

        assertThat(gate.tryAcquire(Duration.ZERO)).isNotNull();
        assertThat(gate.tryAcquire(Duration.ZERO)).isNull();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READY")
    void anEngineThatIsNotReadyTakesNothing(EngineHealth.Status status) throws InterruptedException {
        engine.status = status;

        assertThat(gate.availablePermits()).isZero();
        assertThat(gate.tryAcquire(Duration.ZERO)).isNull();
    }

    @Test
    void whoWaitsGetsThePermitThatComesBack() throws Exception {
        // Given
        var permits = new ArrayDeque<CapacityGate.Permit>();
        for (int i = 0; i < SLOTS; i++) {
            permits.add(acquire());
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var waiting = threads.submit((Callable<CapacityGate.Permit>) () -> gate.tryAcquire(LONG));
            permits.remove().close();
            // Then
            assertThat(waiting.get()).isNotNull();
            assertThat(gate.heldPermits()).isEqualTo(SLOTS);
        }
    }

    @Test
    void whoWaitsGetsTheMemoryThatTheEngineGivesBackWithoutAWord() throws Exception {
        // Given
        engineCounts(acquire());
        engine.freeTokens = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var waiting = threads.submit((Callable<CapacityGate.Permit>) () -> gate.tryAcquire(LONG));
            engine.freeTokens = 4 * USUAL;
            // Then
            assertThat(waiting.get()).isNotNull();
        }
    }

    /// Threads take and give back as fast as they can: there are never more permits than slots, and all come back.
    @Test
    void whoeverTakesAndGivesBackThereAreNeverMorePermitsThanSlots() throws Exception {
        var most = new AtomicInteger();
        var taken = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var done = new ArrayList<Future<?>>();
            for (int thread = 0; thread < 6; thread++) {
                done.add(threads.submit(() -> {
                    var held = new ArrayDeque<CapacityGate.Permit>();
                    for (int i = 0; i < 2_000; i++) {
                        var permit = gate.tryAcquire(Duration.ofMillis(i % 3 == 0 ? 0 : 1));
                        if (permit != null) {
                            most.accumulateAndGet(taken.incrementAndGet(), Math::max);
                            held.add(permit);
                        }
                        if (permit == null || held.size() > 2) {
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
        assertThat(gate.availablePermits()).isEqualTo(SLOTS);
    }

    @Test
    void aDraftLeavesAQuarterOfTheSlotsFree() throws InterruptedException {
        // Given four slots, of which one is kept
        for (int i = 0; i < SLOTS - 1; i++) {
            assertThat(gate.tryAcquireSpare()).isNotNull();
        }
        // Then
        assertThat(gate.tryAcquireSpare()).isNull();
        assertThat(gate.tryAcquire(Duration.ZERO)).isNotNull();
    }

    @Test
    void aDraftGetsNoSlotThatJobsWouldMiss() throws InterruptedException {
        // Given
        var last = acquire();
        acquire();
        acquire();
        assertThat(gate.tryAcquireSpare()).isNull();
        // When
        last.close();
        // Then
        assertThat(gate.tryAcquireSpare()).isNotNull();
    }

    private CapacityGate.Permit acquire() throws InterruptedException {
        return Objects.requireNonNull(gate.tryAcquire(Duration.ZERO));
    }

    private void engineCounts(CapacityGate.Permit permit) {
        engine.freeSlots--;
        permit.started();
    }
}
