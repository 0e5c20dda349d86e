package dev.counterpoint.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.PromptItem;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.engine.Engine;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.simulated.SimulatedEngine;
import dev.counterpoint.engine.simulated.SimulatedOptions;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.prompt.AsyncResult;
import dev.counterpoint.prompt.DeclaredFunctions;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.worker.constraint.Spelled;
import dev.counterpoint.worker.output.OutputComposer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Calls after which the model continues.
@Timeout(30)
class AsyncCallsTest {
    private static final KeyRing KEYS = TestKeys.of(ServiceRole.WORKER);
    private static final String SCHEMA = """
            {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}""";
    private static final String THOUGHT = "<|channel|>analysis<|message|>First a, then b.<|end|><|start|>assistant";
    private static final List<int[]> RUNS = List.of(
            tokens(THOUGHT + call("a", 1)),
            tokens(call("b", 2)),
            tokens("<|channel|>analysis<|message|>Now c.<|end|><|start|>assistant" + call("c", 3)));

    private final AttemptLog log = new AttemptLog(KEYS, true);
    private final AttemptKeys attemptKeys = AttemptKeys.create();
    private final PatientEngine engine = new PatientEngine();

    AsyncCallsTest() {
        engine.reason = StopReason.STOP_TOKEN;
    }

    @Test
    void theModelGoesOnAfterAsyncCallsAndStopsAtAnyOther() {
        // Given
        engine.outputs.addAll(RUNS);

        // When
        run(job(), List.of());

        // Then
        var prompts = engine.requests.stream()
                .map(GenerationRequest::prompt)
                .map(AsyncCallsTest::text)
                .toList();
        assertThat(prompts).hasSize(3);
        assertThat(prompts.get(1)).isEqualTo(prompts.get(0) + text(RUNS.get(0)) + pending("a", 1));
        assertThat(prompts.get(2)).isEqualTo(prompts.get(1) + text(RUNS.get(1)) + pending("b", 2));
        assertThat(engine.requests).allMatch(request -> request.prefix().length == 0);
        assertThat(engine.requests)
                .extracting(request -> request.sampling().seed())
                .doesNotHaveDuplicates();
        // Only what the model said is in the log.
        assertThat(deltas()).isEqualTo(said());
        assertThat(engine.closed).hasValue(3);
    }

    @Test
    void everyTokenCountsOnce() {
        // Given
        engine.outputs.addAll(RUNS);

        // When
        run(job(), List.of());

        // Then
        var last = engine.requests.getLast();
        var end = end();
        assertThat(end.finish()).isEqualTo(End.Finish.STOP);
        assertThat(end.outputTokens()).isEqualTo(said().length);
        assertThat(end.inputTokens() + end.outputTokens()).isEqualTo(last.prompt().length + RUNS.getLast().length);
        assertThat(end.reasoningTokens()).isLessThan(end.outputTokens());
    }

    @Test
    void theNextRequestGoesOnFromWhatTheModelSaw() {
        // Given
        engine.outputs.addAll(RUNS);
        run(job(), List.of());
        var sealed = sealed();

        // When
        var prompt = List.<PromptItem>of(
                new PromptItem.User("hi"),
                sealed.get(0),
                new PromptItem.Call(id(1), "a", "{\"n\": 1}"),
                AsyncResult.pending(id(1), "a"),
                new PromptItem.Call(id(2), "b", "{\"n\": 2}"),
                AsyncResult.pending(id(2), "b"),
                sealed.get(1),
                new PromptItem.Call(id(4), "c", "{\"n\": 3}"),
                new PromptItem.CallOutput(id(4), "c", "three"));
        var next = text(new PromptRenderer(KEYS).render(job().with(prompt), 0));

        // Then
        assertThat(next)
                .startsWith(text(engine.requests.getLast().prompt()) + text(RUNS.getLast()))
                .endsWith("<|start|>functions.c<|channel|>commentary to=assistant<|message|>three<|end|>"
                        + "<|start|>assistant");
    }

    @Test
    void aWorkerThatTakesOverIsInTheSameRun() {
        // Given
        engine.outputs.addAll(RUNS);
        run(job(), List.of());
        int[] said = said();
        var whole = List.copyOf(engine.requests);
        for (int cut = 0; cut < said.length; cut++) {
            engine.requests.clear();
            int number = 0;
            int before = 0;
            while (cut - before >= RUNS.get(number).length) {
                before += RUNS.get(number++).length;
            }
            engine.outputs.clear();
            engine.outputs.add(Arrays.copyOfRange(RUNS.get(number), cut - before, RUNS.get(number).length));
            engine.outputs.addAll(RUNS.subList(number + 1, RUNS.size()));
            log.producer.clear();

            // When
            run(job(), List.of(new ResumeState.Said.Tokens(Arrays.copyOf(said, cut))));

            // Then
            var first = engine.requests.getFirst();
            assertThat(first.prompt())
                    .as("cut at %d", cut)
                    .isEqualTo(whole.get(number).prompt());
            assertThat(first.prefix()).isEqualTo(Arrays.copyOfRange(said, before, cut));
            assertThat(first.sampling()).isEqualTo(whole.get(number).sampling());
            assertThat(engine.requests.getLast().prompt())
                    .isEqualTo(whole.getLast().prompt());
            assertThat(end().outputTokens()).isEqualTo(said.length);
        }
    }

    @Test
    void theNinthAsyncCallEndsTheResponse() {
        // Given
        engine.output = RUNS.get(1);

        // When
        run(job(), List.of());

        // Then
        assertThat(engine.started).hasValue(SampledRuns.ASYNC_CALLS_MAX + 1);
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    @Test
    void theLimitOfTheOutputHoldsForAllRunsTogether() {
        // Given
        engine.outputs.addAll(RUNS);

        // When
        run(with(Workbench.asking("hi"), ToolChoice.AUTO, RUNS.get(0).length + RUNS.get(1).length), List.of());

        // Then
        assertThat(engine.requests)
                .extracting(GenerationRequest::maxTokens)
                .containsExactly(RUNS.get(0).length + RUNS.get(1).length, RUNS.get(1).length);
        assertThat(end().finish()).isEqualTo(End.Finish.MAX_TOKENS);
        assertThat(end().inputTokens())
                .isEqualTo(engine.requests.getLast().prompt().length
                        - RUNS.get(0).length
                        + tokens(pending("b", 2)).length);
    }

    @Test
    void aCallThatHadToComeWasMadeAndTheBoundOfTheReasoningIsSmaller() {
        // Given
        var job = with(job(), new ToolChoice(ToolChoice.Mode.FUNCTION, "a"), 0);
        job = job.with(job.reasoning().withTokensMax(100));
        var composer = composer(job);
        var runs = new SampledRuns(AttemptLog.ticket(1), job, composer, engine.describe());
        assertThat(runs.demanded()).isSameAs(job);

        // When
        IntStream.of(RUNS.get(0))
                .forEach(token -> assertThat(runs.accept(token, null)).isTrue());

        // Then
        assertThat(runs.demanded().choice()).isEqualTo(ToolChoice.AUTO);
        assertThat(runs.demanded().reasoning().tokensMax()).isEqualTo(100 - composer.reasoningTokens());
        // Another call than the one that had to come, and then an answer, are no breach.
        IntStream.of(RUNS.get(1))
                .forEach(token -> assertThat(runs.accept(token, null)).isTrue());
        IntStream.of(tokens("<|channel|>final<|message|>Done.<|return|>")).forEach(token -> runs.accept(token, null));
        assertThat(runs.finish()).isEqualTo(End.Finish.STOP);
    }

    @ParameterizedTest
    @EnumSource(
            value = Ability.class,
            names = {"MASKS", "RESUMES_DRAWS"})
    void everyRunKeepsToTheSchemasOfItsTools(Ability ability) {
        // Given
        engine.abilities = Set.of(ability);
        engine.outputs.add(RUNS.get(0));
        engine.outputs.add(tokens("<|channel|>commentary to=functions.b <|constrain|>json<|message|>{\"m\""));

        // When
        run(job(), List.of());

        // Then
        if (ability == Ability.MASKS) {
            var mask = engine.requests.get(1).mask();
            int[] right = RUNS.get(1);
            for (int token : right) {
                assertThat(TokenMask.allows(mask.allowed(), token)).isTrue();
                mask.accept(token);
            }
        } else {
            assertThat(end().finish()).isEqualTo(End.Finish.NOT_ENFORCED);
        }
    }

    @Test
    void anEngineOfOursGoesOnUnderItsMasks() {
        // Given
        var question = "think: One.\ncall: a {\"n\": 1}\nthink: Two.\ncall: b {\"n\": 2}\nthink: Three.\nsay: Done.";
        var job = job().with(List.of(new PromptItem.User(question)));
        try (var simulated = new SimulatedEngine(SimulatedOptions.immediate("m"))) {
            // When
            run(simulated, job, List.of());
        }

        // Then
        assertThat(text(deltas()))
                .contains("One.", "to=functions.a", "Two.", "to=functions.b", "Three.")
                .endsWith("<|channel|>final<|message|>Done.<|return|>");
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    @Test
    void whoWantsOneCallAtMostGetsOne() {
        // Given
        engine.output = RUNS.get(0);

        // When
        run(job().with(new GenerationJob.Leeway(true, false)), List.of());

        // Then
        assertThat(engine.started).hasValue(1);
        assertThat(end().finish()).isEqualTo(End.Finish.STOP_SEQUENCE);
    }

    @Test
    void aModelUnderATemplateOfItsOwnEndsItsTurnWithItsCalls() {
        // Given
        engine.abilities = Set.of(Ability.MESSAGES);
        engine.output = RUNS.get(0);

        // When
        run(job(), List.of());

        // Then
        assertThat(engine.started).hasValue(1);
        assertThat(end().finish()).isEqualTo(End.Finish.STOP);
    }

    private void run(GenerationJob job, List<ResumeState.Said> said) {
        run(engine, job, said);
    }

    private void run(Engine asked, GenerationJob job, List<ResumeState.Said> said) {
        var bench = new Workbench(asked, KEYS);
        var publisher = log.publisher(1, 1, attemptKeys);
        new Attempt(bench.attempt(AttemptLog.ticket(1), publisher), job, null, said, bench.context).run();
    }

    private static OutputComposer composer(GenerationJob job) {
        return new OutputComposer(DeclaredFunctions.of(job), OutputComposer.Stops.at(), _ -> {}, false);
    }

    private End end() {
        var frame = log.frames().getLast();
        assertThat(frame.kind()).isEqualTo(FrameKind.END);
        return End.decode(Objects.requireNonNull(attemptKeys.visible()).open(AttemptLog.TENANT, frame));
    }

    private int[] deltas() {
        return log.frames().stream()
                .filter(frame -> frame.kind() == FrameKind.DELTA)
                .flatMapToInt(frame -> IntStream.of(Objects.requireNonNull(attemptKeys.delta(AttemptLog.TENANT, frame))
                        .tokens()))
                .toArray();
    }

    private List<PromptItem> sealed() {
        var visible = Objects.requireNonNull(attemptKeys.visible());
        var blobs = new ArrayList<PromptItem>();
        log.frames().stream()
                .filter(frame -> frame.kind() == FrameKind.SEALED_REASONING)
                .map(frame -> new String(visible.open(AttemptLog.TENANT, frame), StandardCharsets.US_ASCII))
                .forEach(blob -> blobs.add(new PromptItem.Sealed(blob)));
        return blobs;
    }

    private static int[] said() {
        return RUNS.stream().flatMapToInt(IntStream::of).toArray();
    }

    private static String pending(String function, int message) {
        return "<|start|>functions.%s<|channel|>commentary to=assistant<|message|>".formatted(function)
                + "{\"status\":\"pending\",\"call_id\":\"%s\"}<|end|><|start|>assistant".formatted(id(message));
    }

    private static String id(int message) {
        return AttemptLog.RESPONSE.call(message);
    }

    private static String call(String function, int number) {
        return "<|channel|>commentary to=functions.%s <|constrain|>json<|message|>{\"n\": %d}<|call|>"
                .formatted(function, number);
    }

    private static int[] tokens(String spelled) {
        return Spelled.tokens(spelled);
    }

    private static String text(int[] tokens) {
        return HarmonyTokenizer.shared().decode(tokens);
    }

    private static GenerationJob job() {
        return with(Workbench.asking("hi"), ToolChoice.AUTO, 0);
    }

    private static GenerationJob with(GenerationJob asked, ToolChoice choice, int limit) {
        var tools = Stream.of("a", "b", "c")
                .map(name -> new FunctionTool(name, "", SCHEMA, true, null, !name.equals("c")))
                .toList();
        return new GenerationJob(
                asked.prompt(),
                tools,
                choice,
                asked.effort(),
                asked.date(),
                null,
                asked.sampling().withSeed(5),
                limit,
                asked.reasoning());
    }
}
