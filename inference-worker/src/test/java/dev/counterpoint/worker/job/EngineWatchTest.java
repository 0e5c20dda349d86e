package dev.counterpoint.worker.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.PromptItem;
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
class EngineWatchTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final WrittenLog log = new WrittenLog(keys, true);
    private final PatientEngine engine = new PatientEngine();
    private final Workbench bench = new Workbench(engine, keys);
    private final EngineWatch watch = bench.watch;
    private final Running running = new Running();

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, Role.WORKER);
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        engine.close();
        running.giveUpAll();
        bench.room.awaitIdle(LONG);
    }

    @Test
    void anEngineThatSaysNothingToAnybodyHangs() {
        // Given
        generating(1);
        look(Workbench.BEATS_MAX);
        boolean early = watch.hangs();
        // When a new one comes, which says nothing about the engine
        generating(2);
        look(1);
        // Then
        assertThat(early).isFalse();
        assertThat(watch.hangs()).isTrue();
    }

    @Test
    void anEngineThatDoesNotReturnFromAStepHangs() {
        engine.returns = false;
        generating(1);

        look(Workbench.BEATS_MAX + 1);

        assertThat(watch.hangs()).isTrue();
    }

    @Test
    void anEngineThatWorksMayTakeItsTime() {
        generating(1);

        for (int beat = 0; beat < 100; beat++) {
            watch.sign();
            look(1);
        }

        assertThat(watch.hangs()).isFalse();
    }

    @Test
    void anEngineThatNobodyAsksIsNotExpectedToSayAnything() throws InterruptedException {
        // Given
        generating(1);
        look(Workbench.BEATS_MAX);
        // When
        running.giveUpAll();
        assertThat(bench.room.awaitIdle(LONG)).isTrue();
        look(100);
        // Then
        assertThat(watch.hangs()).isFalse();
    }

    @Test
    void anEngineThatWorksForOthersAndDoesNotStopWhatItShouldHangs() {
        // Given
        engine.returns = false;
        generating(1);
        running.giveUpAll();
        // When
        for (int beat = 0; beat < Workbench.BEATS_MAX; beat++) {
            watch.sign();
            look(1);
        }
        boolean early = watch.hangs();
        watch.sign();
        look(1);
        // Then
        assertThat(early).isFalse();
        assertThat(watch.hangs()).isTrue();
    }

    @Test
    void whatAnEngineReportsAsWorkIsASignOfLife() {
        // Given
        engine.works = true;
        generating(1);
        look(Workbench.BEATS_MAX);
        // When
        long steps = watch.signs();
        while (watch.signs() == steps) {
            Thread.onSpinWait();
        }
        look(1);
        // Then
        assertThat(watch.hangs()).isFalse();
    }

    private void look(int beats) {
        for (int beat = 0; beat < beats; beat++) {
            watch.look(running.attempts());
        }
    }

    /// Starts an attempt and waits until it asks the engine.
    private void generating(int number) {
        var hold = bench.hold(WrittenLog.ticket(number), log.outbox(number, number, AttemptKeys.create()));
        var job = new GenerationJob(
                List.of(new PromptItem.User("hello")),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of("context"));
        var attempt = new Attempt(hold, job, null, List.of(), bench.work);
        running.claim(WrittenLog.ticket(number)).start(attempt);
        while (!attempt.generates()) {
            Thread.onSpinWait();
        }
    }
}
