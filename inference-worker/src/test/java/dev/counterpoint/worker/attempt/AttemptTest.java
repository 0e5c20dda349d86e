package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealedReasoning;
import dev.counterpoint.bus.wire.UnknownFields;
import dev.counterpoint.engine.EngineDescription;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Attempts that end without a word of the engine.
@Timeout(30)
class AttemptTest {
    private static final String CONTEXT = "context";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static KeyRing keys;

    private final AttemptLog log = new AttemptLog(keys, true);
    private final AttemptKeys attemptKeys = AttemptKeys.create();
    private final PatientEngine engine = new PatientEngine();
    private JobTicket ticket = AttemptLog.ticket(1);

    @BeforeAll
    static void generateKeys() throws IOException {
        GenerateKeys.into(folder);
        keys = KeyRing.load(folder, ServiceRole.WORKER);
    }

    @Test
    void aStopSequenceThatTheLastAttemptFoundEndsThisOneAtOnce() {
        // Given
        int[] said = answer("one END");
        // When
        attempt(List.of(new PromptItem.User("hi")), List.of(new ResumeState.Said.Tokens(said)))
                .run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.STOP_SEQUENCE);
        assertThat(end().outputTokens()).isEqualTo(said.length);
    }

    @Test
    void sealedReasoningThatDoesNotOpenIsAMistakeOfTheRequest() {
        // When
        attempt(List.of(new PromptItem.Sealed("no blob")), List.of()).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.INVALID_REASONING);
    }

    @Test
    void reasoningIsToldAgainWithoutTheEngineFromWhereTheLastAttemptStopped() {
        // Given
        int[] thought = said("analysis", "one, two, three, four and five");
        int[] sampled = Arrays.copyOf(thought, thought.length + 1);
        sampled[thought.length] = SpecialTokens.END;
        var header = new SealedReasoning.Header(Long.MAX_VALUE, sampled.length, "resp_1");
        var blob = SealedReasoning.seal(sampled, header, CONTEXT, keys);
        var prompt = List.<PromptItem>of(new PromptItem.User("hi"), new PromptItem.Retold(blob));
        for (int told : List.of(0, 5)) {
            log.producer.clear();
            var before = new ResumeState.Said.Tokens(Arrays.copyOf(sampled, told));

            // When
            attempt(prompt, told == 0 ? List.of() : List.of(before)).run();

            // Then all of it stands in the reasoning lane, once, and nothing was sampled
            var deltas = log.frames().stream()
                    .filter(frame -> frame.kind() == FrameKind.DELTA)
                    .toList();
            assertThat(deltas).allMatch(frame -> frame.lane() == Lane.REASONING);
            assertThat(deltas.stream()
                            .flatMapToInt(frame -> IntStream.of(tokens(frame)))
                            .toArray())
                    .isEqualTo(Arrays.copyOfRange(sampled, told, sampled.length));
            assertThat(end().finish()).isEqualTo(End.Finish.STOP);
            assertThat(end().outputTokens()).isZero();
            assertThat(log.frames()).extracting(Frame::kind).doesNotContain(FrameKind.SEALED_REASONING);
        }
        assertThat(engine.started).hasValue(0);
    }

    @Test
    void whoIsToldToStopBeforeItBeganSaysNothing() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        // When
        attempt.tell(AttemptState.Order.STOP);
        attempt.run();
        // Then
        assertThat(log.frames()).isEmpty();
        assertThat(engine.started).hasValue(0);
    }

    @Test
    void whoGivesUpBeforeItBeganHandsOver() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        // When
        attempt.tell(AttemptState.Order.HAND_OVER);
        attempt.run();
        // Then
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.HANDOVER);
    }

    @Test
    void c1WhoseEngineBrokeBeforeATokenHandsNothingOver() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        engine.status = EngineHealth.Status.FAILED;
        engine.reason = StopReason.FAILED;
        // When
        attempt.tell(AttemptState.Order.HAND_OVER);
        attempt.run();
        // Then
        assertThat(log.frames()).as("its owner sees a worker that died").isEmpty();
    }

    @Test
    void c1WhoseEngineFailsBeforeATokenHandsNothingOver() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        engine.status = EngineHealth.Status.FAILED;
        engine.reason = StopReason.FAILED;
        // When
        attempt.run();
        // Then
        assertThat(engine.started).hasValue(1);
        assertThat(log.frames()).isEmpty();
    }

    @Test
    void promptsOfTheEnginesFurtherRequestsCountAsInput() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        engine.output = answer("one");
        engine.reason = StopReason.STOP_TOKEN;
        engine.furtherPromptTokens = 7;
        // When
        attempt.run();
        // Then
        int prompt = Objects.requireNonNull(engine.request).prompt().length;
        assertThat(end().inputTokens()).isEqualTo(prompt + 7);
    }

    @ParameterizedTest(name = "together: {0}")
    @ValueSource(booleans = {true, false})
    void whatAnEngineSaysTogetherIsOneFrame(boolean together) {
        // Given
        engine.together = together;
        engine.output = answer("one, two, three, four and five");
        engine.reason = StopReason.STOP_TOKEN;
        // When
        attempt(List.of(new PromptItem.User("hi")), List.of()).run();
        // Then
        var deltas = log.frames().stream().filter(frame -> frame.kind() == FrameKind.DELTA);
        assertThat(deltas.count()).isEqualTo(together ? 1 : engine.output.length - 3 + 1);
        assertThat(end().outputTokens()).isEqualTo(engine.output.length);
    }

    @Test
    void whoseEngineFailsInMidAnswerHandsOver() {
        // Given
        var attempt = attempt(List.of(new PromptItem.User("hi")), List.of());
        engine.output = answer("one");
        engine.status = EngineHealth.Status.FAILED;
        engine.reason = StopReason.FAILED;
        // When
        attempt.run();
        // Then
        assertThat(log.frames())
                .extracting(Frame::kind)
                .contains(FrameKind.DELTA)
                .endsWith(FrameKind.HANDOVER);
    }

    @Test
    void oneGenerationThatFailsOnAnEngineThatWorksIsHandedOver() {
        // Given
        engine.reason = StopReason.FAILED;
        // When
        attempt(List.of(new PromptItem.User("hi")), List.of()).run();
        // Then
        assertThat(log.frames()).extracting(Frame::kind).containsExactly(FrameKind.HANDOVER);
    }

    @Test
    void atTheDeadlineTheEngineStopsAndTheRestIsForTheOwnerToSay() {
        // Given
        ticket = new JobTicket(
                AttemptLog.RESPONSE, 0, 1, AttemptLog.TENANT, Set.of(), 0, 0, 1, null, false, UnknownFields.NONE);
        // When
        attempt(List.of(new PromptItem.User("hi")), List.of()).run();
        // Then
        assertThat(log.frames()).isEmpty();
        assertThat(engine.closed).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatItsEngineCannotGoOnWithFailsUnlessItIsSteered(boolean steered) {
        // Given
        engine.abilities = Set.of(EngineDescription.Ability.MESSAGES);
        var attempt = attempt(Workbench.asking("hi"), List.of(new ResumeState.Said.Tokens(answer("one"))));
        attempt.tell(steered ? AttemptState.Order.STEER : AttemptState.Order.GO_ON);
        // When
        attempt.run();
        // Then
        assertThat(end().finish()).isEqualTo(steered ? End.Finish.STEERED : End.Finish.FAILED);
        assertThat(engine.started).hasValue(0);
    }

    @Test
    void anAnswerThatItsEngineCanGoOnWithGoesOn() {
        // Given
        engine.abilities = Set.of(EngineDescription.Ability.MESSAGES, EngineDescription.Ability.CONTINUES_ANSWERS);
        engine.reason = StopReason.STOP_TOKEN;
        // When
        attempt(Workbench.asking("hi"), List.of(new ResumeState.Said.Tokens(answer("one"))))
                .run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    @Test
    void anOutputThatLeavesItsStrictFormIsEndedByNameAndIsNotTriedAgain() {
        // Given
        engine.output = answer("{\"city\":\"Rom\",\"days\":10}");
        engine.reason = StopReason.STOP_TOKEN;
        // When
        attempt(strict(), List.of()).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.NOT_ENFORCED);
        assertThat(end().outputTokens()).isPositive().isLessThan(engine.output.length);
        assertThat(log.frames()).extracting(Frame::kind).doesNotContain(FrameKind.HANDOVER);
    }

    @Test
    void anOutputThatKeepsItsStrictFormIsComplete() {
        // Given
        engine.output = answer("{\"city\":\"Rom\",\"days\":1}");
        engine.reason = StopReason.STOP_TOKEN;
        // When
        attempt(strict(), List.of()).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    @Test
    void anOutputThatALimitCutIsNoBrokenForm() {
        // Given
        engine.output = answer("{\"city\":");
        engine.reason = StopReason.LENGTH;
        // When
        attempt(strict(), List.of()).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.MAX_TOKENS);
    }

    @Test
    void aStrictOutputIsCheckedAcrossAttempts() {
        // Given
        var said = answer("{\"city\":\"Rom\",\"da");
        engine.output = HarmonyTokenizer.shared().encode("ys\":\"many\"}");
        engine.reason = StopReason.STOP_TOKEN;
        // When
        attempt(strict(), List.of(new ResumeState.Said.Tokens(said))).run();
        // Then
        assertThat(end().finish()).isEqualTo(End.Finish.NOT_ENFORCED);
    }

    @Test
    void noShareOfTheTokensIsThatOfTheBest() {
        // Given
        ticket = new JobTicket(
                AttemptLog.RESPONSE, 0, 1, AttemptLog.TENANT, Set.of(), 0, 0, 1, null, false, UnknownFields.NONE);
        var sampling = new GenerationJob.Sampling(null, 0.0, 0, 0, null, null, List.of(), Map.of());
        // When
        attempt(job(List.of(new PromptItem.User("hi"))).with(sampling), List.of())
                .run();
        // Then
        assertThat(Objects.requireNonNull(engine.request).sampling().topP()).isBetween(0.0, 0.001);
    }

    @ParameterizedTest(name = "turns may be left out: {0}")
    @ValueSource(booleans = {true, false})
    void aPromptThatDoesNotFitLosesItsOldestTurnWhereTheRequestWantsThat(boolean forgets) {
        // Given
        ticket = new JobTicket(
                AttemptLog.RESPONSE, 0, 1, AttemptLog.TENANT, Set.of(), 0, 0, 1, null, false, UnknownFields.NONE);
        var words = new PromptItem.User("word ".repeat(2_500));
        var job = job(List.of(words, new PromptItem.Assistant("yes", false), words));
        var leeway = new GenerationJob.Leeway(false, forgets);
        // When
        attempt(job.with(leeway), List.of()).run();
        // Then
        if (forgets) {
            assertThat(Objects.requireNonNull(engine.request).prompt().length).isBetween(2_500, 3_000);
        } else {
            assertThat(end().finish()).isEqualTo(End.Finish.PROMPT_TOO_LONG);
        }
    }

    private End end() {
        var frame = log.frames().getLast();
        var visible = Objects.requireNonNull(attemptKeys.visible());
        assertThat(frame.kind()).isEqualTo(FrameKind.END);
        return End.decode(visible.open(AttemptLog.TENANT, frame));
    }

    private int[] tokens(Frame delta) {
        return Objects.requireNonNull(attemptKeys.delta(AttemptLog.TENANT, delta))
                .tokens();
    }

    static int[] answer(String text) {
        return said("final", text);
    }

    private static int[] said(String channel, String text) {
        var tokenizer = HarmonyTokenizer.shared();
        return Stream.of(
                        new int[] {SpecialTokens.CHANNEL},
                        tokenizer.encode(channel),
                        new int[] {SpecialTokens.MESSAGE},
                        tokenizer.encode(text))
                .flatMapToInt(IntStream::of)
                .toArray();
    }

    private Attempt attempt(List<PromptItem> prompt, List<ResumeState.Said> prefix) {
        return attempt(job(prompt), prefix);
    }

    private Attempt attempt(GenerationJob job, List<ResumeState.Said> prefix) {
        var bench = new Workbench(engine, keys);
        return new Attempt(bench.attempt(ticket, log.publisher(1, 1, attemptKeys)), job, null, prefix, bench.context);
    }

    private static GenerationJob strict() {
        var schema = """
                {"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","maximum":9}},\
                "required":["city","days"],"additionalProperties":false}""";
        return new GenerationJob(
                List.of(new PromptItem.User("hi")),
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                new GenerationJob.ResponseFormat("trip", null, schema, true),
                GenerationJob.Sampling.DEFAULT,
                0,
                GenerationJob.ReasoningTerms.of(CONTEXT));
    }

    private static GenerationJob job(List<PromptItem> prompt) {
        var sampling = new GenerationJob.Sampling(null, null, 0, 0, null, null, List.of("END"), Map.of());
        return new GenerationJob(
                prompt,
                List.of(),
                GenerationJob.ToolChoice.AUTO,
                "low",
                "2026-11-21",
                null,
                sampling,
                0,
                GenerationJob.ReasoningTerms.of(CONTEXT));
    }
}
