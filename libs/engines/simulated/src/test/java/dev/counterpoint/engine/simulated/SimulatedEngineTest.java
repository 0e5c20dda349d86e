package dev.counterpoint.engine.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.testkit.GenerationPull;
import dev.counterpoint.engine.testkit.PulledGeneration;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.parse.HarmonyEvent;
import dev.counterpoint.harmony.parse.HarmonyParser;
import dev.counterpoint.harmony.tokenizer.SpecialTokens;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SimulatedEngineTest {
    private static final SimulatedOptions IMMEDIATE = SimulatedOptions.immediate("gpt-oss-20b");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello",
                "How many r's are in strawberry?",
                "Weather in Paris?",
                "think: a\nsay: 日本語 💖 naïve",
                "think: a\ncall: get_weather {\"location\":\"Paris\"}",
                "Count from 1 to 30"
            })
    void resumesAtEveryPosition(String question) throws InterruptedException {
        var talk = Talk.user(question).weatherTool().sampling(Sampling.DEFAULT.withSeed(3));
        try (var engine = new SimulatedEngine(IMMEDIATE)) {
            int[] whole = GenerationPull.all(engine, talk.request()).ids();
            for (int cut = 0; cut <= whole.length; cut++) {
                int[] rest = GenerationPull.all(engine, talk.request(Arrays.copyOf(whole, cut)))
                        .ids();

                assertThat(rest).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, whole.length));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Hello",
                "Weather in Paris?",
                "What is 2+2?",
                "think: <|end|>\nsay: <|return|> 日本語 💖",
                "",
                "?",
                "}{",
                "Count from 1 to 50"
            })
    void speaksHarmonyThatNeedsNoRepair(String question) {
        int[] ids = Talk.user(question).weatherTool().output().ids();
        var parser = new HarmonyParser(Role.ASSISTANT);
        var events = new ArrayList<HarmonyEvent>();

        for (int id : ids) {
            parser.accept(id, events::add);
        }
        parser.finish(events::add);

        assertThat(events)
                .filteredOn(HarmonyEvent.MessageStarted.class::isInstance)
                .hasSize(2);
        assertThat(events).noneMatch(HarmonyEvent.Repaired.class::isInstance);
        assertThat(SpecialTokens.endsSampling(ids[ids.length - 1])).isTrue();
    }

    @Test
    void answersPromptsThatAreNoHarmonyAtAll() throws InterruptedException {
        var random = new Random(11);
        try (var engine = new SimulatedEngine(IMMEDIATE)) {
            for (int round = 0; round < 200; round++) {
                int[] prompt = random.ints(1 + random.nextInt(60), 0, 201_088).toArray();
                for (int i = 0; i < prompt.length; i++) {
                    prompt[i] = random.nextInt(4) == 0 ? SpecialTokens.START + random.nextInt(3) : prompt[i];
                }
                var pulled = GenerationPull.all(engine, request(prompt));

                assertThat(pulled.reason()).as(Arrays.toString(prompt)).isEqualTo(StopReason.STOP_TOKEN);
            }
        }
    }

    @Test
    void goesOnInsideAHeaderThatThePromptHasBegun() throws InterruptedException {
        // Given
        int[] prompt = Talk.user("think: 4\nsay: 2 + 2 = 4.").prompt();
        int[] begun = HarmonyMarkup.encode(HarmonyMarkup.CHANNEL + "final" + HarmonyMarkup.MESSAGE);
        int[] whole = Arrays.copyOf(prompt, prompt.length + begun.length);
        System.arraycopy(begun, 0, whole, prompt.length, begun.length);

        // When
        try (var engine = new SimulatedEngine(IMMEDIATE)) {
            int[] ids = GenerationPull.all(engine, request(whole)).ids();

            // Then
            assertThat(HarmonyMarkup.decode(ids, 0, ids.length)).isEqualTo("2 + 2 = 4." + HarmonyMarkup.RETURN);
        }
    }

    @Test
    void keepsTalkingWhenNothingStopsIt() throws InterruptedException {
        var request = new GenerationRequest(
                "test", Talk.user("Hello").prompt(), new int[0], Sampling.GREEDY, 1000, Set.of(), TokenMask.ALL, "");
        try (var engine = new SimulatedEngine(IMMEDIATE)) {
            var pulled = GenerationPull.all(engine, request);

            assertThat(pulled.ids()).hasSize(1000);
            assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    void showsProgressUntilTheFirstTokenIsDue() throws InterruptedException {
        var options = IMMEDIATE.withTimes(Duration.ofMillis(600), Duration.ZERO);
        try (var engine = new SimulatedEngine(options);
                var generation = new PulledGeneration(engine, Talk.user("Hello").request())) {
            long begin = System.nanoTime();

            assertThat(generation.next()).isNull();
            assertThat(generation.moved()).isTrue();
            assertThat(generation.next()).isNull();
            assertThat(generation.moved()).isTrue();
            assertThat(generation.next()).isInstanceOf(Step.Token.class);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(590));
        }
    }

    @Test
    void pacesManyGenerationsAtOnceWithoutDrift() throws Exception {
        // Given
        var options = IMMEDIATE
                .withTimes(Duration.ofMillis(50), Duration.ofMillis(10))
                .withSlots(128);
        int tokens = Talk.user("Count from 1 to 40").output().ids().length;
        var planned = Duration.ofMillis(50 + 10L * (tokens - 1));
        try (var engine = new SimulatedEngine(options);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();

            // When
            var pulls = new ArrayList<Future<GenerationPull>>();
            for (int i = 0; i < 128; i++) {
                var generation = new PulledGeneration(
                        engine, Talk.user("Count from 1 to 40").request());
                pulls.add(threads.submit((Callable<GenerationPull>) () -> GenerationPull.all(generation)));
            }
            for (var pull : pulls) {
                assertThat(pull.get().ids()).hasSize(tokens);
            }

            // Then
            var took = Duration.ofNanos(System.nanoTime() - begin);
            assertThat(took).isBetween(planned, planned.plusSeconds(5));
        }
    }

    @Test
    void hangsAndFailsWhenAFaultIsAskedFor() throws InterruptedException {
        try (var engine = new SimulatedEngine(IMMEDIATE.withFaults(new SimulatedOptions.Faults(3, null, null)));
                var generation = new PulledGeneration(engine, Talk.user("Hello").request())) {
            for (int i = 0; i < 3; i++) {
                assertThat(generation.next()).isInstanceOf(Step.Token.class);
            }
            assertThat(generation.next()).isNull();
            assertThat(generation.moved()).isFalse();
            generation.cancel();
            assertThat(generation.next()).isEqualTo(new Step.Stopped(StopReason.CANCELLED));
        }
        try (var engine = new SimulatedEngine(IMMEDIATE.withFaults(new SimulatedOptions.Faults(null, 3, null)))) {
            var pulled = GenerationPull.all(engine, Talk.user("Hello").request());

            assertThat(pulled.ids()).hasSize(3);
            assertThat(pulled.reason()).isEqualTo(StopReason.FAILED);
        }
    }

    @Test
    void wakesUpForACancelWhileItWaits() throws Exception {
        var options = IMMEDIATE.withTimes(Duration.ofHours(1), Duration.ZERO);
        try (var engine = new SimulatedEngine(options);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var generation = new PulledGeneration(engine, Talk.user("Hello").request());
            var pull = threads.submit((Callable<GenerationPull>) () -> GenerationPull.all(generation));

            generation.cancel();

            assertThat(pull.get().reason()).isEqualTo(StopReason.CANCELLED);
        }
    }

    @Test
    void saysThatItIsSimulated() {
        try (var engine = new SimulatedEngine(IMMEDIATE)) {
            assertThat(engine.describe().engine()).isEqualTo("simulated");
            assertThat(engine.describe().text()).containsIgnoringCase("simulated");
        }
    }

    private static GenerationRequest request(int[] prompt) {
        return new GenerationRequest(
                "test", prompt, new int[0], Sampling.GREEDY, 20_000, Talk.STOPS, TokenMask.ALL, "");
    }
}
