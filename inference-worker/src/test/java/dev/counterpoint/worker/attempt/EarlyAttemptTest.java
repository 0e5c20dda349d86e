package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An attempt that starts while its fence is on its way.
@Timeout(60)
class EarlyAttemptTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptLog log = new AttemptLog(keys, true);
    private final PatientEngine engine = new PatientEngine();
    private final Workbench bench = new Workbench(engine, keys);
    private final InFlightJobs jobs = new InFlightJobs();
    private @Nullable TraceRecordHeader audit;
    private final FramePublisher publisher =
            new FramePublisher(AttemptLog.ticket(1), 1, AttemptKeys.create(), log.sender);

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @AfterEach
    void stopAll() {
        publisher.fenced(false);
        jobs.handOverAll();
    }

    @Test
    void speaksAtOnceAndEndsOnlyWhenItsFenceHasWon() throws InterruptedException {
        // Given
        says(StopReason.STOP_TOKEN);
        start();
        awaitSpoken();
        boolean watched = jobs.attempts().getFirst().awaitsEngine();
        var saidBefore = log.frames();
        // When
        publisher.fenced(true);
        // Then
        assertThat(saidBefore).extracting(Frame::kind).contains(FrameKind.DELTA).doesNotContain(FrameKind.END);
        assertThat(watched).as("the engine is not to blame for the bus").isFalse();
        assertThat(bench.gate.awaitIdle(LONG)).isTrue();
        assertThat(log.frames()).extracting(Frame::kind).contains(FrameKind.END);
    }

    @Test
    void whoseFenceLostFallsSilentAndLetsTheEngineGo() throws InterruptedException {
        // Given
        var claim = start();
        while (engine.started.get() == 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        // When
        claim.stop();
        publisher.fenced(false);
        claim.awaitEnd();
        publisher.progress();
        // Then
        assertThat(engine.closed).hasValue(1);
        assertThat(log.frames()).isEmpty();
        assertThat(bench.gate.availablePermits()).isEqualTo(4);
    }

    @Test
    void aResponseWhoseFenceLostHasNeitherTraceNorEnd() throws InterruptedException {
        // Given
        says(StopReason.STOP_TOKEN);
        audit = new TraceRecordHeader(AttemptLog.RESPONSE, AttemptLog.TENANT, "key", "model", 1_000, new byte[] {1});
        var claim = start();
        awaitSpoken();
        // When
        claim.stop();
        publisher.fenced(false);
        claim.awaitEnd();
        // Then
        assertThat(log.frames()).extracting(Frame::kind).doesNotContain(FrameKind.END, FrameKind.HANDOVER);
        assertThat(log.producer.history()).noneMatch(record -> record.topic().equals(Topic.AUDIT));
    }

    private void says(StopReason reason) {
        int word = HarmonyTokenizer.shared().encode("final")[0];
        engine.output =
                new int[] {SpecialTokens.CHANNEL, word, SpecialTokens.MESSAGE, word, word, SpecialTokens.RETURN};
        engine.reason = reason;
    }

    private InFlightJobs.Claim start() {
        var claim = jobs.claim(AttemptLog.ticket(1));
        var context = bench.attempt(AttemptLog.ticket(1), publisher);
        claim.start(new Attempt(context, Workbench.asking("hello"), audit, List.of(), bench.context));
        return claim;
    }

    private void awaitSpoken() throws InterruptedException {
        while (!(jobs.attempts().getFirst().state() instanceof AttemptState.Ending)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
