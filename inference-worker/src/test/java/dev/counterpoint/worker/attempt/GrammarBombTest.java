package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests whose grammar takes too much work: each ends by name, and nothing else does.
@Timeout(300)
class GrammarBombTest {
    private static final Duration LONG = Duration.ofSeconds(240);
    private static final int BOMBS = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final PatientEngine patient = new PatientEngine();

    /// An attempt, with what it wrote.
    private record Running(AttemptLog log, AttemptKeys keys) {
        List<FrameKind> kinds() {
            return log.frames().stream().map(Frame::kind).toList();
        }

        End.Finish finish() {
            var frame = log.frames().getLast();
            assertThat(frame.kind()).isEqualTo(FrameKind.END);
            return End.decode(Objects.requireNonNull(keys.visible()).open(AttemptLog.TENANT, frame))
                    .finish();
        }
    }

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void eightAtOnceEndByNameBesideAnOrdinaryAnswer() throws InterruptedException {
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"))) {
            // Given
            var bench = new Workbench(engine, keys);
            var jobs = new InFlightJobs();
            var running = new Running[BOMBS + 1];
            // When
            for (int i = 0; i <= BOMBS; i++) {
                running[i] = start(i == BOMBS ? Workbench.asking("hello") : bomb(i), i + 1, bench, jobs);
            }
            assertThat(bench.gate.awaitIdle(LONG)).isTrue();
            // Then
            assertThat(running[BOMBS].finish()).isEqualTo(End.Finish.STOP);
            assertThat(Arrays.asList(running).subList(0, BOMBS))
                    .allSatisfy(bomb ->
                            assertThat(bomb.finish()).isIn(End.Finish.GRAMMAR_TOO_COMPLEX, End.Finish.GRAMMAR_CUT))
                    .allSatisfy(bomb -> assertThat(bomb.kinds()).doesNotContain(FrameKind.HANDOVER));
            assertThat(bench.watchdog.broke(engine)).isFalse();
        }
    }

    @Test
    void aBombThatIsStoppedInItsMaskSaysNothingMore() throws InterruptedException {
        try (var engine = new SimulatedEngine(SimulatedOptions.immediate("model"))) {
            // Given
            var bench = new Workbench(engine, keys);
            var jobs = new InFlightJobs();
            var running = start(bomb(BOMBS), 1, bench, jobs);
            // When
            jobs.attempts().forEach(attempt -> attempt.tell(AttemptState.Order.STOP));
            // Then
            assertThat(bench.gate.awaitIdle(LONG)).isTrue();
            assertThat(running.kinds()).doesNotContain(FrameKind.HANDOVER, FrameKind.END);
        }
    }

    @Test
    void whereNothingWasSaidAFormWithoutAWayOnIsAMistakeOfTheRequest() throws InterruptedException {
        assertThat(endsWithout(new int[0])).isEqualTo(End.Finish.GRAMMAR_TOO_COMPLEX);
        assertThat(endsWithout(AttemptTest.answer(""))).isEqualTo(End.Finish.GRAMMAR_TOO_COMPLEX);
    }

    @Test
    void whereSomethingWasSaidAFormWithoutAWayOnCutsItOff() throws InterruptedException {
        assertThat(endsWithout(AttemptTest.answer("one"))).isEqualTo(End.Finish.GRAMMAR_CUT);
    }

    private End.Finish endsWithout(int[] output) throws InterruptedException {
        patient.output = output;
        patient.reason = StopReason.NO_TOKEN;
        var bench = new Workbench(patient, keys);
        var running = start(Workbench.asking("hello"), 1, bench, new InFlightJobs());
        assertThat(bench.gate.awaitIdle(LONG)).isTrue();
        assertThat(running.kinds()).doesNotContain(FrameKind.HANDOVER);
        return running.finish();
    }

    private static Running start(GenerationJob job, int number, Workbench bench, InFlightJobs jobs) {
        var log = new AttemptLog(keys, true);
        var running = new Running(log, AttemptKeys.create());
        var context = bench.attempt(AttemptLog.ticket(number), log.publisher(number, number, running.keys));
        jobs.claim(AttemptLog.ticket(number)).start(new Attempt(context, job, null, List.of(), bench.context));
        return running;
    }

    private static GenerationJob bomb(int number) {
        var grammar = new InputGrammar(InputGrammar.Syntax.REGEX, "(.*a.{8})+(.*b.{8})+(" + number + ")?");
        return new GenerationJob(
                List.of(new PromptItem.User("x" + number)),
                List.of(new FunctionTool("g", "", "{\"type\":\"string\"}", false, grammar, false)),
                new ToolChoice(ToolChoice.Mode.REQUIRED, null),
                "low",
                "2026-11-21",
                null,
                GenerationJob.Sampling.DEFAULT,
                200,
                GenerationJob.ReasoningTerms.of("context"));
    }
}
