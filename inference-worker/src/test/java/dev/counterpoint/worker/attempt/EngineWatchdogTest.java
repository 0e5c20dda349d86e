package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EngineWatchdogTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final PatientEngine engine = new PatientEngine();
    private final AttemptLog log = new AttemptLog(keys, false);
    private final Workbench bench = new Workbench(engine, keys);
    private final EngineWatchdog watchdog = bench.watchdog;
    private final InFlightJobs jobs = new InFlightJobs();

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        jobs.handOverAll();
        bench.gate.awaitIdle(LONG);
    }

    @Test
    void anEngineThatSaysNothingToAnybodyHangs() {
        // Given
        generating(1);
        look(Workbench.BEATS_MAX);
        boolean early = watchdog.hangs();
        // When a new one comes, which says nothing about the engine
        generating(2);
        look(1);
        // Then
        assertThat(early).isFalse();
        assertThat(watchdog.hangs()).isTrue();
    }

    @Test
    void anEngineThatWorksMayTakeItsTime() {
        generating(1);

        for (int beat = 0; beat < 100; beat++) {
            watchdog.sign();
            look(1);
        }

        assertThat(watchdog.hangs()).isFalse();
    }

    @Test
    void anEngineThatNobodyAsksIsNotExpectedToSayAnything() throws InterruptedException {
        // Given
        generating(1);
        look(Workbench.BEATS_MAX);
        // When
        jobs.handOverAll();
        assertThat(bench.gate.awaitIdle(LONG)).isTrue();
        look(100);
        // Then
        assertThat(watchdog.hangs()).isFalse();
    }

    @Test
    void whatAnEngineReportsAsWorkIsASignOfLife() {
        // Given
        engine.works = true;
        generating(1);
        look(Workbench.BEATS_MAX);
        // When
        jobs.tick();
        look(1);
        // Then
        assertThat(watchdog.hangs()).isFalse();
    }

    @Test
    void aBusThatTakesNothingForLongIsNoEngineThatHangs() {
        // Given
        for (int record = 0; record < 9; record++) {
            log.sender.send(new ProducerRecord<>(Topic.AUDIT, new byte[1 << 20]));
        }
        generating(1);
        // When
        look(100);
        // Then
        assertThat(watchdog.hangs()).isFalse();
    }

    private void look(int beats) {
        for (int beat = 0; beat < beats; beat++) {
            watchdog.look(jobs.attempts());
        }
    }

    /// Starts an attempt and waits until it asks the engine.
    private void generating(int number) {
        var hold = bench.attempt(AttemptLog.ticket(number), log.publisher(number, number, AttemptKeys.create()));
        var job = Workbench.asking("hello");
        var attempt = new Attempt(hold, job, null, List.of(), bench.context);
        jobs.claim(AttemptLog.ticket(number)).start(attempt);
        while (!(attempt.state() instanceof AttemptState.Generating)) {
            Thread.onSpinWait();
        }
    }
}
