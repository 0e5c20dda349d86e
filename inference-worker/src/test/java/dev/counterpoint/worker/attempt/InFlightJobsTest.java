package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.StopCommand;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class InFlightJobsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptLog log = new AttemptLog(keys, true);
    private final PatientEngine engine = new PatientEngine();
    private final Workbench bench = new Workbench(engine, keys);
    private final InFlightJobs jobs = new InFlightJobs();

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @AfterEach
    void stopAll() {
        jobs.handOverAll();
    }

    @Test
    void anAttemptGivesItsPlaceBackWhenItHasEnded() throws InterruptedException {
        // Given
        start(1);
        boolean idleWhileRunning = idle(SHORT);
        // When
        jobs.obey(stop(Integer.MAX_VALUE));
        // Then
        assertThat(idleWhileRunning).isFalse();
        assertThat(idle(LONG)).isTrue();
        assertThat(bench.gate.availablePermits()).isEqualTo(4);
        assertThat(engine.closed).hasValue(1);
    }

    @Test
    void whoIsToldToStopSaysNothing() throws InterruptedException {
        // Given
        start(1);
        // When
        jobs.obey(stop(2));
        idle(LONG);
        // Then
        assertThat(log.frames()).isEmpty();
    }

    @Test
    void onlyAttemptsBelowTheNumberStop() throws InterruptedException {
        // Given
        start(1);
        start(2);
        start(3);
        start(4);
        // When
        jobs.obey(stop(2));
        var freed = bench.gate.tryAcquire(LONG);
        // Then
        assertThat(freed).isNotNull();
        assertThat(bench.gate.tryAcquire(SHORT)).isNull();
    }

    @Test
    void aStopOfAnotherResponseConcernsNobodyHere() throws InterruptedException {
        // Given
        start(1);
        // When
        jobs.obey(new StopCommand(new ResponseId(1, 1, 1, 1), Integer.MAX_VALUE));
        // Then
        assertThat(idle(SHORT)).isFalse();
    }

    @Test
    void aWorkerThatGivesUpHandsEveryAttemptOver() throws InterruptedException {
        // Given
        start(1);
        start(2);
        // When
        jobs.handOverAll();
        // Then
        assertThat(idle(LONG)).isTrue();
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.HANDOVER, FrameKind.HANDOVER);
    }

    @Test
    void whoComesToAWorkerThatHasGivenUpIsHandedOverToo() throws InterruptedException {
        // Given
        jobs.handOverAll();
        // When
        start(1);
        // Then
        assertThat(idle(LONG)).isTrue();
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.HANDOVER);
    }

    @Test
    void aStopThatComesWhileTheFenceIsAppendedIsHeeded() throws InterruptedException {
        // Given
        var claim = jobs.claim(AttemptLog.ticket(1));
        // When
        jobs.obey(stop(Integer.MAX_VALUE));
        claim.start(attempt(1));
        // Then
        assertThat(idle(LONG)).isTrue();
        assertThat(log.frames()).isEmpty();
    }

    @Test
    void aSteerEndsTheResponseWhetherItComesBeforeItsAttemptOrLater() throws InterruptedException {
        // Given
        start(1);
        var claim = jobs.claim(AttemptLog.ticket(2));
        // When
        jobs.obey(StopCommand.atSteer(AttemptLog.RESPONSE));
        claim.start(attempt(2));
        // Then
        assertThat(idle(LONG)).isTrue();
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.END, FrameKind.END);
    }

    @Test
    void aStopOutranksASteer() throws InterruptedException {
        // Given
        var claim = jobs.claim(AttemptLog.ticket(1));
        jobs.obey(StopCommand.atSteer(AttemptLog.RESPONSE));
        jobs.obey(stop(Integer.MAX_VALUE));
        // When
        claim.start(attempt(1));
        // Then
        assertThat(idle(LONG)).isTrue();
        assertThat(log.frames()).isEmpty();
    }

    @Test
    void aJobThatWasTakenAndNotRunIsForgotten() {
        // Given
        var attempt = attempt(1);
        // When
        try (var claim = jobs.claim(AttemptLog.ticket(1));
                var _ = jobs.claim(AttemptLog.ticket(2))) {
            claim.start(attempt);
        }
        // Then
        assertThat(jobs.attempts()).containsExactly(attempt);
    }

    private void start(int number) {
        try (var claim = jobs.claim(AttemptLog.ticket(number))) {
            claim.start(attempt(number));
        }
    }

    private Attempt attempt(int number) {
        var hold = bench.attempt(AttemptLog.ticket(number), log.publisher(number, number, AttemptKeys.create()));
        return new Attempt(hold, Workbench.asking("hello"), null, List.of(), bench.context);
    }

    private boolean idle(Duration atMost) throws InterruptedException {
        return bench.gate.awaitIdle(atMost);
    }

    private static StopCommand stop(int before) {
        return new StopCommand(AttemptLog.RESPONSE, before);
    }
}
