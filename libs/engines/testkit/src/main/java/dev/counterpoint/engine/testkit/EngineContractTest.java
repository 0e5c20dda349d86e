package dev.counterpoint.engine.testkit;

import static dev.counterpoint.engine.testkit.Await.await;
import static dev.counterpoint.engine.testkit.RequestVariants.resumed;
import static dev.counterpoint.engine.testkit.RequestVariants.sampled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.engine.EngineBusyException;
import dev.counterpoint.engine.EngineDescription.Ability;
import dev.counterpoint.engine.EngineHealth;
import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.StopReason;
import dev.counterpoint.engine.TokenMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The contract of every engine. The test of an engine extends this class and creates the engine.
@Timeout(120)
public abstract class EngineContractTest extends EngineMaskContractTest {
    /// The tokens that end this model's output.
    protected abstract Set<Integer> stopTokens();

    @Test
    void givesTokensOfItsVocabularyUntilAStopToken() throws InterruptedException {
        var pulled = GenerationPull.all(engine, request(prompt(), 10_000));

        assertThat(pulled.ids()).hasSizeGreaterThan(MANY);
        assertThat(Arrays.stream(pulled.ids()).allMatch(inVocabulary())).isTrue();
        assertThat(pulled.reason()).isIn(StopReason.STOP_TOKEN, StopReason.CONTEXT_FULL);
        if (pulled.reason() == StopReason.STOP_TOKEN) {
            assertThat(stopTokens()).contains(pulled.ids()[pulled.ids().length - 1]);
        }
    }

    @Test
    void stopsAtTheFirstOfTheStopTokensAndGivesItOut() throws InterruptedException {
        // Given
        int[] output = GenerationPull.all(engine, request(prompt(), MANY)).ids();
        int stop = output[MANY / 2];
        int expectedLength = indexOf(output, stop) + 1;

        // When
        var pulled = GenerationPull.all(engine, request(prompt(), MANY, Set.of(stop), TokenMask.ALL));

        // Then
        assertThat(pulled.ids()).isEqualTo(Arrays.copyOf(output, expectedLength));
        assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    void stopsAfterMaxTokens() throws InterruptedException {
        for (int max : new int[] {1, 2, 17}) {
            var pulled = GenerationPull.all(engine, request(prompt(), max));

            assertThat(pulled.ids()).hasSize(max);
            assertThat(pulled.reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    void stopsWhenTheContextIsFull() throws InterruptedException {
        int[] nearlyFull = new int[engine.describe().contextLength() - 3];
        Arrays.fill(nearlyFull, prompt()[0]);

        var pulled = GenerationPull.all(engine, request(nearlyFull, 100, Set.of(), TokenMask.ALL));

        assertThat(pulled.ids()).hasSize(3);
        assertThat(pulled.reason()).isEqualTo(StopReason.CONTEXT_FULL);
    }

    @Test
    void refusesIdsThatAreNotInTheVocabulary() {
        var request = request(new int[] {engine.describe().vocabularySize()}, 1);

        assertThatThrownBy(() -> new PulledGeneration(engine, request)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void saysTheSameAgainForTheSameSeed() throws InterruptedException {
        var first = GenerationPull.all(engine, request(prompt(), MANY));
        var second = GenerationPull.all(engine, request(prompt(), MANY));

        assertThat(second.ids()).isEqualTo(first.ids());
    }

    @Test
    protected void resumesAtEveryPositionWithExactlyTheRemainingTokens() throws InterruptedException {
        resumesAtEveryPosition(request(prompt(), MANY));
    }

    /// For an engine that declares that it draws a resumed output anew: greedy output still continues unchanged.
    protected final void resumesAtEveryPositionWhatIsNotDrawn() throws InterruptedException {
        assertThat(engine.describe().can(Ability.RESUMES_DRAWS)).isFalse();
        resumesAtEveryPosition(sampled(request(prompt(), MANY), Sampling.GREEDY));
    }

    private void resumesAtEveryPosition(GenerationRequest request) throws InterruptedException {
        // Given
        int[] whole = GenerationPull.all(engine, request).ids();

        for (int cut = 0; cut <= whole.length; cut++) {
            // When
            var rest = GenerationPull.all(engine, resumed(request, Arrays.copyOf(whole, cut)));

            // Then
            assertThat(rest.ids()).as("cut at %d", cut).isEqualTo(Arrays.copyOfRange(whole, cut, whole.length));
            assertThat(rest.reason()).isEqualTo(StopReason.LENGTH);
        }
    }

    @Test
    void givesNothingMoreForAPrefixThatEndsInAStopToken() throws InterruptedException {
        int stop = prompt()[0];

        var pulled = GenerationPull.all(
                engine, resumed(request(prompt(), MANY, Set.of(stop), TokenMask.ALL), new int[] {stop}));

        assertThat(pulled.steps()).isEmpty();
        assertThat(pulled.reason()).isEqualTo(StopReason.STOP_TOKEN);
    }

    @Test
    void reportsLogProbabilitiesWhenAskedAndOnlyThen() throws InterruptedException {
        if (!engine.describe().can(Ability.LOGPROBS)) {
            return;
        }
        var asked = GenerationPull.all(engine, sampled(request(prompt(), 8), Sampling.GREEDY.withTopLogprobs(3)));
        var unasked = GenerationPull.all(engine, request(prompt(), 8));

        assertThat(unasked.steps()).allMatch(step -> step.logprobs() == null);
        assertThat(asked.steps()).allSatisfy(step -> {
            var logprobs = step.logprobs();
            assertThat(logprobs).isNotNull();
            assertThat(logprobs.logprob()).isLessThanOrEqualTo(0);
            assertThat(logprobs.top())
                    .hasSizeBetween(1, 3)
                    .isSortedAccordingTo((a, b) -> Double.compare(b.logprob(), a.logprob()));
            assertThat(logprobs.top().getFirst().token()).isEqualTo(step.id());
        });
    }

    @Test
    void stopsWithinOneTokenOfACancel() throws InterruptedException {
        try (var generation = new PulledGeneration(engine, request(prompt(), MANY))) {
            // Given
            nextToken(generation);

            // When
            generation.cancel();

            // Then
            var rest = GenerationPull.all(generation);
            assertThat(rest.steps()).hasSizeLessThanOrEqualTo(1);
            assertThat(rest.reason()).isIn(StopReason.CANCELLED, StopReason.LENGTH);
            assertThat(generation.next()).isEqualTo(rest.stopped());
        }
    }

    @Test
    void runsAsManySequencesAsItHasSlotsAndIsThenBusy() throws Exception {
        // Given
        int[] alone = GenerationPull.all(engine, request(prompt(), MANY)).ids();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<PulledGeneration>();
            for (int i = 0; i < SLOTS; i++) {
                running.add(new PulledGeneration(engine, request(prompt(), MANY)));
            }

            // When
            assertThat(engine.health().freeSlots()).isZero();
            assertThatThrownBy(() -> new PulledGeneration(engine, request(prompt(), MANY)))
                    .isInstanceOf(EngineBusyException.class);
            var pulls = new ArrayList<Future<GenerationPull>>();
            for (var generation : running) {
                pulls.add(threads.submit((Callable<GenerationPull>) () -> GenerationPull.all(generation)));
            }

            // Then
            for (var pull : pulls) {
                assertThat(pull.get().ids()).isEqualTo(alone);
            }
            running.forEach(PulledGeneration::close);
        }
    }

    @Test
    void othersGoOnWhileAMaskIsWorkedOnAndItsOwnGenerationShowsLife() throws InterruptedException {
        if (!obeysFewTokenMasks()) {
            return;
        }
        // Given
        var mask = new LateMask(unlikely());
        int[] alone = GenerationPull.all(engine, request(prompt(), MANY)).ids();
        try (var late = new PulledGeneration(engine, request(prompt(), unlikely().length, Set.of(), mask))) {
            while (!mask.asked()) {
                late.next();
            }

            // When
            int[] beside = GenerationPull.all(engine, request(prompt(), MANY)).ids();

            // Then
            assertThat(beside).isEqualTo(alone);
            while (!late.moved()) {
                // It may have been silent before.
            }
            mask.finish();
            assertThat(GenerationPull.all(late).ids()).isEqualTo(unlikely());
        }
    }

    @Test
    void takesASlotUntilTheGenerationIsClosed() throws InterruptedException {
        for (int i = 0; i < 3 * SLOTS; i++) {
            var generation = new PulledGeneration(engine, request(prompt(), MANY));
            nextToken(generation);
            assertThat(engine.health().freeSlots()).isEqualTo(SLOTS - 1);

            generation.close();
            generation.close();

            assertThat(engine.health().freeSlots()).isEqualTo(SLOTS);
            assertThat(GenerationPull.all(generation).reason()).isIn(StopReason.CANCELLED, StopReason.LENGTH);
        }
    }

    @Test
    void saysHowMuchMemoryIsFreeAndGetsAllOfItBack() throws InterruptedException {
        // Given
        var description = engine.describe();
        long free = engine.health().freeTokens();
        assertThat(free).isBetween((long) description.contextLength(), description.contextTokens());
        var running = new ArrayList<PulledGeneration>();
        for (int i = 0; i < SLOTS; i++) {
            running.add(new PulledGeneration(engine, request(prompt(), MANY)));
            nextToken(running.getLast());
        }
        await(() -> engine.health().freeTokens() < free);

        // When
        running.forEach(PulledGeneration::close);

        // Then
        await(() -> engine.health().freeTokens() == free);
    }

    @Test
    void countsWhatItHasDone() throws InterruptedException {
        var before = engine.statistics();

        GenerationPull.all(engine, request(prompt(), MANY));

        var after = engine.statistics();
        assertThat(after.steps()).isGreaterThanOrEqualTo(before.steps());
        assertThat(after.computedTokens() - before.computedTokens())
                .as("each step computes a token or more")
                .isGreaterThanOrEqualTo(after.steps() - before.steps());
        assertThat(after.reusedTokens()).isGreaterThanOrEqualTo(before.reusedTokens());
        assertThat(after.preemptions()).isGreaterThanOrEqualTo(before.preemptions());
        await(() -> engine.statistics().waiting() == 0);
    }

    @Test
    void hasNothingToGiveOnceItIsClosed() {
        engine.close();

        var health = engine.health();
        assertThat(health.status()).isEqualTo(EngineHealth.Status.FAILED);
        assertThat(health.freeSlots()).isZero();
        assertThat(health.freeTokens()).isZero();
    }

    @Test
    void cancelsWhatRunsWhenItIsClosed() throws InterruptedException {
        var generation = new PulledGeneration(engine, request(prompt(), MANY));
        nextToken(generation);

        engine.close();

        assertThat(GenerationPull.all(generation).reason()).isIn(StopReason.CANCELLED, StopReason.LENGTH);
        assertThatThrownBy(() -> new PulledGeneration(engine, request(prompt(), MANY)))
                .isInstanceOf(IllegalStateException.class);
    }

    protected static void nextToken(PulledGeneration generation) throws InterruptedException {
        while (!(generation.next() instanceof Step.Token)) {
            // The prefill may take a few rounds; the test's timeout bounds them.
        }
    }

    protected final GenerationRequest request(int[] prompt, int maxTokens) {
        return request(prompt, maxTokens, stopTokens(), TokenMask.ALL);
    }

    private IntPredicate inVocabulary() {
        int size = engine.describe().vocabularySize();
        return id -> id >= 0 && id < size;
    }

    private static int indexOf(int[] tokens, int token) {
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] == token) {
                return i;
            }
        }
        return -1;
    }
}
