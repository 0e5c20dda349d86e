package dev.counterpoint.worker.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.Control;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.worker.prompt.PromptRenderer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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
class RunningTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int SLOTS = 2;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final WrittenLog log = new WrittenLog(keys, true);
    private final PatientEngine engine = new PatientEngine();
    private final Running running = new Running(SLOTS);

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, Role.WORKER);
    }

    @AfterEach
    void stopAll() {
        running.giveUpAll();
    }

    @Test
    void anAttemptTakesASlotAndGivesItBack() throws InterruptedException {
        // Given
        running.start(attempt(1));
        int whileRunning = running.free();
        boolean idleWhileRunning = running.awaitIdle(SHORT);
        // When
        running.obey(stop(Integer.MAX_VALUE));
        // Then
        assertThat(running.awaitIdle(LONG)).isTrue();
        assertThat(whileRunning).isEqualTo(SLOTS - 1);
        assertThat(idleWhileRunning).isFalse();
        assertThat(running.free()).isEqualTo(SLOTS);
        assertThat(engine.closed).hasValue(1);
    }

    @Test
    void whileEverySlotIsTakenNoneBecomesFree() throws InterruptedException {
        // Given
        running.start(attempt(1));
        boolean oneLeft = running.awaitFreeSlot(SHORT);
        running.start(attempt(2));
        // When
        boolean noneLeft = running.awaitFreeSlot(SHORT);
        running.obey(stop(Integer.MAX_VALUE));
        // Then
        assertThat(oneLeft).isTrue();
        assertThat(noneLeft).isFalse();
        assertThat(running.awaitFreeSlot(LONG)).isTrue();
    }

    @Test
    void whoIsToldToStopSaysNothing() throws InterruptedException {
        // Given
        running.start(attempt(1));
        // When
        running.obey(stop(2));
        running.awaitIdle(LONG);
        // Then
        assertThat(log.frames()).isEmpty();
    }

    @Test
    void onlyAttemptsBelowTheNumberStop() throws InterruptedException {
        // Given
        running.start(attempt(1));
        running.start(attempt(2));
        // When
        running.obey(stop(2));
        boolean oneStopped = running.awaitFreeSlot(LONG);
        boolean bothStopped = running.awaitIdle(SHORT);
        // Then
        assertThat(oneStopped).isTrue();
        assertThat(bothStopped).isFalse();
        assertThat(running.free()).isEqualTo(SLOTS - 1);
    }

    @Test
    void aStopOfAnotherResponseConcernsNobodyHere() throws InterruptedException {
        // Given
        running.start(attempt(1));
        // When
        running.obey(new Control(new ResponseId(1, 1, 1, 1), Integer.MAX_VALUE));
        // Then
        assertThat(running.awaitIdle(SHORT)).isFalse();
    }

    @Test
    void aWorkerThatGivesUpHandsEveryAttemptOver() throws InterruptedException {
        // Given
        running.start(attempt(1));
        running.start(attempt(2));
        // When
        running.giveUpAll();
        // Then
        assertThat(running.awaitIdle(LONG)).isTrue();
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.HANDOVER, FrameKind.HANDOVER);
    }

    private Attempt attempt(int number) {
        var work = new Attempt.Workplace(
                engine,
                new PromptRenderer(keys),
                keys,
                Duration.ofSeconds(1).toNanos(),
                Duration.ofHours(1).toMillis(),
                new WorkerMetrics(new SimpleMeterRegistry()));
        var outbox = log.outbox(number, number, AttemptKeys.create());
        return new Attempt(WrittenLog.ticket(number), job(), null, List.of(), outbox, work);
    }

    private static Control stop(int before) {
        return new Control(WrittenLog.RESPONSE, before);
    }

    private static GenerationJob job() {
        return new GenerationJob(
                List.of(new PromptItem.User("hello")),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context"));
    }
}
