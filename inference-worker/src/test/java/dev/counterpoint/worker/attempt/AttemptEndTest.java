package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptEndTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptLog log = new AttemptLog(keys, true);
    private final AttemptKeys attemptKeys = AttemptKeys.create();
    private final PatientEngine engine = new PatientEngine();

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void anOutputOfNothingButACallThatNobodyDeclaredWasWithheld() {
        // Given
        var call = HarmonyTokenizer.shared().encode("commentary to=container.exec");
        engine.output = IntStream.concat(
                        IntStream.concat(IntStream.of(SpecialTokens.CHANNEL), IntStream.of(call)),
                        IntStream.of(SpecialTokens.MESSAGE, SpecialTokens.CALL))
                .toArray();
        engine.reason = StopReason.STOP_TOKEN;
        // When
        var end = run();
        // Then
        assertThat(end.finish()).isEqualTo(End.Finish.CONTENT_FILTER);
        assertThat(end.undeclaredCalls()).containsExactly("container.exec");
    }

    @ParameterizedTest
    @CsvSource({"REFUSED, UPSTREAM_REFUSED", "MISCONFIGURED, UPSTREAM_MISCONFIGURED", "BUSY, UPSTREAM_BUSY"})
    void whatItsServerRefusesIsNotTriedAgain(StopReason reason, End.Finish finish) {
        // Given
        engine.reason = reason;
        // When
        var end = run();
        // Then
        assertThat(end.finish()).isEqualTo(finish);
        assertThat(log.frames()).extracting(Frame::kind).doesNotContain(FrameKind.HANDOVER);
    }

    private End run() {
        var bench = new Workbench(engine, keys);
        var context = bench.attempt(AttemptLog.ticket(1), log.publisher(1, 1, attemptKeys));
        new Attempt(context, Workbench.asking("hi"), null, List.of(), bench.context).run();
        var frame = log.frames().getLast();
        assertThat(frame.kind()).isEqualTo(FrameKind.END);
        return End.decode(Objects.requireNonNull(attemptKeys.visible()).open(AttemptLog.TENANT, frame));
    }
}
