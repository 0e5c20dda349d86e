package dev.counterpoint.worker.output;

import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CALL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CHANNEL;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.CONSTRAIN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.END;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.MESSAGE;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.RETURN;
import static dev.counterpoint.harmony.tokenizer.SpecialTokens.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.audit.Trace;
import dev.counterpoint.bus.frame.Delta;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.harmony.model.FunctionNames;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputComposerTest {
    private static final int[] ANSWER = tokens(
            CHANNEL,
            "analysis",
            MESSAGE,
            "The user greets. 💖",
            END,
            START,
            "assistant",
            CHANNEL,
            "final",
            MESSAGE,
            "Hello, 世界!",
            RETURN);
    private static final int[] TWO_THOUGHTS_AND_A_CALL = tokens(
            CHANNEL,
            "analysis",
            MESSAGE,
            "First.",
            END,
            START,
            "assistant",
            CHANNEL,
            "analysis",
            MESSAGE,
            "Second.",
            END,
            START,
            "assistant",
            CHANNEL,
            "commentary to=functions.get_weather ",
            CONSTRAIN,
            "json",
            MESSAGE,
            "{\"city\":\"Paris\"}",
            CALL);

    static final int[] PARALLEL = tokens(
            CHANNEL,
            "analysis",
            MESSAGE,
            "Both.",
            END,
            START,
            "assistant",
            CHANNEL,
            "commentary to=multi_tool_use.parallel ",
            CONSTRAIN,
            "json",
            MESSAGE,
            "{\"tool_uses\":[{\"recipient_name\":\"functions.get_weather\",\"parameters\":{\"city\":\"Rome\"}},",
            "{\"recipient_name\":\"get-weather\",\"parameters\":{}}]}",
            CALL);

    @Test
    void keepsReasoningAndAnswerInLanesOfTheirOwn() {
        var parts = compose(composer(), ANSWER);

        assertThat(text(parts, Lane.REASONING)).isEqualTo("The user greets. 💖");
        assertThat(text(parts, Lane.VISIBLE)).isEqualTo("Hello, 世界!");
    }

    @Test
    void publishesEveryTokenOnceAndInOrder() {
        var parts = compose(composer(), ANSWER);

        assertThat(bodies(parts).stream()
                        .flatMapToInt(body -> Arrays.stream(body.delta().tokens())))
                .containsExactly(IntStream.of(ANSWER).boxed().toArray(Integer[]::new));
    }

    @Test
    void sealsARunOfAnalysisBeforeTheMessageThatFollows() {
        var parts = compose(composer("get_weather"), TWO_THOUGHTS_AND_A_CALL);

        var kinds = parts.stream()
                .map(part -> part instanceof OutputPart.Body body ? body.lane().name() : "SEALED")
                .distinct()
                .toList();
        assertThat(kinds).containsExactly("REASONING", "SEALED", "VISIBLE");
        assertThat(parts)
                .filteredOn(OutputPart.Reasoned.class::isInstance)
                .singleElement()
                .satisfies(part ->
                        // Up to the header of the call, which tells how the model spelled it.
                        assertThat(((OutputPart.Reasoned) part).sampled())
                                .isEqualTo(Arrays.copyOf(
                                        TWO_THOUGHTS_AND_A_CALL, indexOfLast(MESSAGE, TWO_THOUGHTS_AND_A_CALL) + 1)));
    }

    @Test
    void namesTheFunctionThatIsCalled() {
        var call = bodies(compose(composer("get_weather"), TWO_THOUGHTS_AND_A_CALL)).stream()
                .filter(body -> body.lane() == Lane.VISIBLE)
                .toList();

        assertThat(call.getFirst().delta().header())
                .isEqualTo(new Delta.Header("commentary", "functions.get_weather", "json"));
        assertThat(call.getLast().delta().closed()).isTrue();
        assertThat(call).allMatch(body -> body.message() == 2);
    }

    @Test
    void keepsACallOfAFunctionThatNobodyDeclaredOutOfSight() {
        var parts = compose(composer(), TWO_THOUGHTS_AND_A_CALL);

        assertThat(bodies(parts)).noneMatch(body -> body.lane() == Lane.VISIBLE);
    }

    @Test
    void findsTheDeclaredFunctionWhereTheModelDropsTheNamespace() {
        var parts = compose(
                composer("get_weather"),
                tokens(CHANNEL, "commentary to=get_weather ", CONSTRAIN, "json", MESSAGE, "{}", CALL));

        assertThat(bodies(parts).getFirst().delta().header())
                .extracting(Delta.Header::recipient)
                .isEqualTo("functions.get_weather");
    }

    @Test
    void leavesAMessageOpenThatTheEngineCutOff() {
        var cut = Arrays.copyOf(ANSWER, ANSWER.length - 2);

        var parts = compose(composer(), cut);

        assertThat(bodies(parts).getLast().delta().closed()).isFalse();
        assertThat(text(parts, Lane.VISIBLE)).isEqualTo("Hello, 世界");
    }

    @Test
    void takesTextWithoutAHeaderForAnAnswerOnlyWhereTheModelEndedIt() {
        var ended = composer();
        ended.accept(tokens("Paris")[0], null);
        assertThat(ended.take()).isEmpty();
        assertThat(text(ended.finish(), Lane.VISIBLE)).isEqualTo("Paris");

        var cutOff = composer();
        cutOff.accept(tokens("Paris")[0], null);
        assertThat(cutOff.take()).isEmpty();
        assertThat(text(cutOff.cutOff(), Lane.REASONING)).isEqualTo("Paris");
    }

    @Test
    void standsWhereAnotherStoodWhenItReplaysThatOnesTokens() {
        for (var output : List.of(ANSWER, TWO_THOUGHTS_AND_A_CALL, PARALLEL)) {
            var whole = compose(composer("get_weather"), output);
            for (int frame = 1; frame <= output.length; frame++) {
                for (int cut = 0; cut <= output.length; cut++) {
                    assertThat(resumed(output, cut, frame))
                            .as("cut after %d tokens, %d a frame", cut, frame)
                            .isEqualTo(describe(whole));
                }
            }
        }
    }

    /// What readers see when a worker that publishes each `frame` tokens dies after `cut`, and another goes on from
    /// what was published.
    private static List<String> resumed(int[] output, int cut, int frame) {
        var first = new ArrayList<OutputPart>();
        var composer = composer("get_weather");
        for (int i = 0; i < cut; i++) {
            composer.accept(output[i], null);
            if (i % frame == frame - 1) {
                first.addAll(composer.take());
            }
        }
        var successor = composer("get_weather");
        int replayed = 0;
        for (var part : first) {
            switch (part) {
                case OutputPart.Body body -> {
                    for (int token : body.delta().tokens()) {
                        successor.accept(token, null);
                        replayed++;
                    }
                }
                case OutputPart.Reasoned _ -> successor.alreadySealed();
            }
        }
        successor.take();
        first.addAll(compose(successor, Arrays.copyOfRange(output, replayed, output.length)));
        return describe(first);
    }

    @Test
    void keepsTheWholeReasoningLaneForTheAuditWhetherSealedOrNot() {
        // Given two thoughts, a call that nobody declared, and a thought that is cut off
        var composer =
                new OutputComposer(new FunctionNames(List.of("get_weather")), OutputComposer.Stops.at(), _ -> {}, true);
        var output = tokens(
                CHANNEL,
                "analysis",
                MESSAGE,
                "First. 💖",
                END,
                START,
                "assistant",
                CHANNEL,
                "commentary",
                MESSAGE,
                "Let me see.",
                END,
                START,
                "assistant",
                CHANNEL,
                "commentary to=python ",
                MESSAGE,
                "print(1)",
                END,
                START,
                "assistant",
                CHANNEL,
                "analysis",
                MESSAGE,
                "Second");
        // When
        compose(composer, output);
        // Then
        assertThat(composer.takeReasoning())
                .containsExactly(
                        new Trace.Segment(0, "analysis", null, "First. 💖"),
                        new Trace.Segment(2, "commentary", "python", "print(1)"),
                        new Trace.Segment(3, "analysis", null, "Second"));
        assertThat(composer.takeReasoning()).as("kept no longer").isEmpty();
    }

    @Test
    void keepsNothingUnlessToldTo() {
        var composer = composer("get_weather");

        compose(composer, TWO_THOUGHTS_AND_A_CALL);

        assertThat(composer.takeReasoning()).isEmpty();
    }

    @Test
    void cutsTheAnswerAtAStopSequenceThatSpansTokens() {
        var composer = new OutputComposer(
                new FunctionNames(List.of()), OutputComposer.Stops.at("o, w", "never"), _ -> {}, false);

        var parts = composeUntilStopped(composer, tokens(CHANNEL, "final", MESSAGE, "hello, world", RETURN));

        assertThat(composer.stopped()).isTrue();
        assertThat(text(parts, Lane.VISIBLE)).isEqualTo("hell");
        assertThat(bodies(parts).getLast().delta().closed()).isTrue();
    }

    @Test
    void givesBackWhatOnlyLookedLikeAStopSequence() {
        var composer = new OutputComposer(
                new FunctionNames(List.of()), OutputComposer.Stops.at("world peace"), _ -> {}, false);

        var parts = composeUntilStopped(composer, tokens(CHANNEL, "final", MESSAGE, "hello, world", RETURN));

        assertThat(text(parts, Lane.VISIBLE)).isEqualTo("hello, world");
    }

    @ParameterizedTest(name = "first call only: {0}")
    @ValueSource(booleans = {true, false})
    void theFirstCallEndsTheOutputWhereOneIsAllAndItsSuccessorKnowsThat(boolean firstCall) {
        // Given
        var stops = new OutputComposer.Stops(List.of(), firstCall);
        var names = new FunctionNames(List.of("f"));
        var composer = new OutputComposer(names, stops, _ -> {}, false);
        var call = new Object[] {CHANNEL, "commentary to=functions.f ", CONSTRAIN, "json", MESSAGE, "{}", END};
        var output = IntStream.concat(
                        Arrays.stream(tokens(call)),
                        IntStream.concat(Arrays.stream(tokens(START, "assistant")), Arrays.stream(tokens(call))))
                .toArray();

        // When
        var bodies = bodies(composeUntilStopped(composer, output));

        // Then
        assertThat(composer.stopped()).isEqualTo(firstCall);
        assertThat(bodies.stream().map(OutputPart.Body::message).distinct()).hasSize(firstCall ? 1 : 2);
        assertThat(bodies.getLast().delta().closed()).isTrue();
        var successor = new OutputComposer(names, stops, _ -> {}, false);
        bodies.forEach(body -> Arrays.stream(body.delta().tokens()).forEach(token -> successor.accept(token, null)));
        assertThat(successor.stopped()).isEqualTo(firstCall);
    }

    static OutputComposer composer(String... functions) {
        return new OutputComposer(new FunctionNames(List.of(functions)), OutputComposer.Stops.at(), _ -> {}, false);
    }

    static List<OutputPart> compose(OutputComposer composer, int[] output) {
        return composeUntilStopped(composer, output);
    }

    private static List<OutputPart> composeUntilStopped(OutputComposer composer, int[] output) {
        var parts = new ArrayList<OutputPart>();
        for (int token : output) {
            composer.accept(token, null);
            parts.addAll(composer.take());
            if (composer.stopped()) {
                return parts;
            }
        }
        parts.addAll(composer.finish());
        return parts;
    }

    static List<OutputPart.Body> bodies(List<OutputPart> parts) {
        return parts.stream()
                .filter(OutputPart.Body.class::isInstance)
                .map(OutputPart.Body.class::cast)
                .toList();
    }

    static String text(List<OutputPart> parts, Lane lane) {
        var text = new StringBuilder();
        bodies(parts).stream()
                .filter(body -> body.lane() == lane)
                .forEach(body -> text.append(body.delta().text()));
        return text.toString();
    }

    /// What readers have in the end, however it was cut into frames.
    private static List<String> describe(List<OutputPart> parts) {
        var whole = new ArrayList<OutputPart>();
        for (var part : parts) {
            if (part instanceof OutputPart.Body(int message, Lane lane, Delta more)
                    && !whole.isEmpty()
                    && whole.getLast() instanceof OutputPart.Body(int before, Lane _, Delta said)
                    && message == before) {
                int[] tokens = IntStream.concat(Arrays.stream(said.tokens()), Arrays.stream(more.tokens()))
                        .toArray();
                whole.removeLast();
                part = new OutputPart.Body(
                        message,
                        lane,
                        new Delta(said.header(), tokens, said.text() + more.text(), more.closed(), List.of()));
            }
            whole.add(part);
        }
        return whole.stream().map(OutputComposerTest::describe).toList();
    }

    /// A part in a form that compares: records that hold arrays do not.
    private static String describe(OutputPart part) {
        return switch (part) {
            case OutputPart.Body(int message, Lane lane, Delta delta) ->
                "%d %s %s %s '%s' %s"
                        .formatted(
                                message,
                                lane,
                                delta.header(),
                                Arrays.toString(delta.tokens()),
                                delta.text(),
                                delta.closed());
            case OutputPart.Reasoned(int[] sampled, int item) -> item + " " + Arrays.toString(sampled);
        };
    }

    private static int indexOfLast(int token, int[] tokens) {
        return IntStream.range(0, tokens.length)
                .filter(i -> tokens[i] == token)
                .max()
                .orElseThrow();
    }

    static int[] tokens(Object... pieces) {
        return Arrays.stream(pieces)
                .flatMapToInt(piece -> piece instanceof Integer control
                        ? IntStream.of(control)
                        : Arrays.stream(HarmonyTokenizer.shared().encode((String) piece)))
                .toArray();
    }
}
