package dev.counterpoint.engine.gguf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.counterpoint.bus.job.GenerationJob.FunctionTool;
import dev.counterpoint.bus.job.GenerationJob.ResponseFormat;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice;
import dev.counterpoint.bus.job.GenerationJob.ToolChoice.Mode;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.gguf.SmolTalk.Answer;
import dev.counterpoint.engine.llama.SmolModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// A real model, held to its turns. The figures count beside the assertions: `-Dscale=20` is what was promised.
@EnabledIf(value = SmolModel.IS_THERE, disabledReason = SmolModel.ABSENT)
class SmolEngineTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SCALE = Integer.getInteger("scale", 1);
    private static final int TOKENS_MAX = 400;
    private static final List<String> QUESTIONS = List.of(
            "Why is the sky blue?",
            "What is 17 + 25?",
            "Write \"é 🜲 \\ \" and nothing else.",
            "Name a city in France.",
            "Say hello in three languages.");
    private static final FunctionTool WEATHER = new FunctionTool("get_weather", "The weather of a city", """
            {"type":"object","properties":{"city":{"type":"string","maxLength":30}},"required":["city"],\
            "additionalProperties":false}""", true);

    private static GgufEngine engine;

    @BeforeAll
    static void open() {
        engine = new GgufEngine(SmolModel.open(8), new Sampling(0.2, 0.9, 0, 0, 0, Map.of(), null, null), _ -> {});
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void reasoningAndAnswerAreSeparated() throws Exception {
        int whole = 0;
        for (int round = 0; round < 5 * SCALE; round++) {
            // Given
            var job = SmolTalk.job(QUESTIONS.get(round % 5), null, null, List.of());
            // When
            var answer = SmolTalk.answer(engine, SmolTalk.request(job, new int[0], drawn(round), TOKENS_MAX));
            // Then
            assertThat(answer.of("analysis") + answer.of("final")).doesNotContain("\"answer\":");
            assertThat(answer.of("analysis")).isNotEmpty();
            if (answer.reason() == StopReason.STOP_TOKEN) {
                whole++;
                assertThat(answer.messages()).hasSizeBetween(1, 2);
            }
        }
        System.out.printf("separated: %d of %d ended by themselves%n", whole, 5 * SCALE);
        // At temperature 1 so small a model often reaches the limit.
        assertThat(whole).isGreaterThanOrEqualTo(3 * SCALE);
    }

    @Test
    void whoAsksForNoReasoningGetsPlainText() throws Exception {
        for (int round = 0; round < 5; round++) {
            // Given
            var job = SmolTalk.job(QUESTIONS.get(round), 0, null, List.of());
            // When
            var answer = SmolTalk.answer(engine, SmolTalk.request(job, new int[0], drawn(round), 60));
            // Then
            assertThat(answer.of("analysis")).isEmpty();
            assertThat(answer.of("final")).isNotEmpty();
        }
    }

    @Test
    void strictAnswersFitTheirSchemas() throws Exception {
        int whole = 0;
        int asked = 0;
        for (var schema : schemas()) {
            for (int round = 0; round < Math.max(1, SCALE / 2); round++) {
                // Given
                var format = new ResponseFormat("form", null, schema, true);
                var question = QUESTIONS.get(round % 5);
                var job = SmolTalk.job(question, round % 2 == 0 ? 0 : null, format, List.of());
                // When
                var answer = SmolTalk.answer(
                        engine, SmolTalk.request(job, new int[0], Sampling.DEFAULT.withSeed(round), TOKENS_MAX));
                // Then
                asked++;
                if (answer.reason() == StopReason.STOP_TOKEN) {
                    whole++;
                    fits(answer.of("final"), schema);
                } else {
                    assertThat(answer.reason()).isEqualTo(StopReason.LENGTH);
                }
            }
        }
        System.out.printf("strict: %d of %d ended by themselves, all of them valid%n", whole, asked);
        assertThat(whole).isGreaterThanOrEqualTo(asked * 9 / 10);
    }

    @Test
    void aForcedCallHasItsArguments() throws Exception {
        for (Integer reasoning : new Integer[] {0, null}) {
            for (int round = 0; round < 2 + SCALE; round++) {
                // Given
                var job = SmolTalk.job("What is the weather in Paris?", reasoning, null, List.of(WEATHER))
                        .with(new ToolChoice(Mode.REQUIRED, null));
                // When
                var answer = SmolTalk.answer(engine, SmolTalk.request(job, new int[0], drawn(round), TOKENS_MAX));
                // Then
                var call = answer.messages().getLast();
                assertThat(call.recipient()).isEqualTo("functions.get_weather");
                fits(call.text(), String.valueOf(WEATHER.parameters()));
            }
        }
    }

    @Test
    void goesOnWhereverAnAttemptBrokeOff() throws Exception {
        for (var question : List.of(QUESTIONS.get(2), QUESTIONS.get(3))) {
            // Given
            var job = SmolTalk.job(question, null, null, List.of());
            var whole = SmolTalk.answer(engine, SmolTalk.request(job, new int[0], drawn(7), 60 + SCALE));
            for (int cut = 1; cut < whole.tokens().length; cut += SCALE > 1 ? 1 : 5) {
                // When
                int[] before = Arrays.copyOf(whole.tokens(), cut);
                var rest = SmolTalk.answer(engine, SmolTalk.request(job, before, drawn(7), cut + 12));
                // Then
                var all = new Answer(
                        IntStream.concat(IntStream.of(before), IntStream.of(rest.tokens()))
                                .toArray(),
                        rest.reason(),
                        "");
                var said = new Answer(before, rest.reason(), "");
                // The limit may lie within a character, no cut does.
                assertThat((all.of("analysis") + all.of("final")).replaceFirst("\uFFFD$", ""))
                        .doesNotContain("\uFFFD");
                assertThat(all.of("analysis")).startsWith(said.of("analysis").replace("\uFFFD", ""));
                assertThat(all.of("final")).startsWith(said.of("final").replace("\uFFFD", ""));
            }
        }
    }

    @Test
    void severalSpeakAtOnce() throws Exception {
        // Given
        var job = SmolTalk.job(QUESTIONS.get(0), null, null, List.of());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // When
            var answers = threads.invokeAll(IntStream.range(0, 8)
                    .mapToObj(number -> (Callable<Answer>)
                            () -> SmolTalk.answer(engine, SmolTalk.request(job, new int[0], drawn(number), 60)))
                    .toList());
            // Then
            for (var answer : answers) {
                assertThat(answer.get().reason()).isIn(StopReason.STOP_TOKEN, StopReason.LENGTH);
                assertThat(answer.get().of("analysis")).isNotEmpty();
            }
        }
    }

    private static Sampling drawn(int seed) {
        return Sampling.DEFAULT.withSeed(seed);
    }

    private static void fits(String text, String schema) throws JsonProcessingException {
        var validator =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
        assertThat(validator.validate(JSON.readTree(text))).as(text).isEmpty();
    }

    private static List<String> schemas() {
        try (var in = SmolEngineTest.class.getResourceAsStream("schemas.jsonl")) {
            return new ArrayList<>(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
