package dev.counterpoint.engine.llama.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.TokenMask;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenSamplerTest {
    private static final int DRAWS = 2000;
    /// Of weights and their sums.
    private static final double ROUNDING = 1e-4;
    private static final float BANNED = Float.NEGATIVE_INFINITY;
    private static final Map<Integer, Distribution> DISTRIBUTIONS = new HashMap<>();

    @Test
    void theBestTokenIsTheFirstOfTheGreatest() {
        assertThat(first(Sampling.GREEDY, -3, 2, 7, 7, 1)).isEqualTo(2);
    }

    @Test
    void drawsComeAsOftenAsTheirProbabilitySays() {
        // Given tokens of 10, 20, 30 and 40 percent
        var logits = logits(Math.log(1), Math.log(2), Math.log(3), Math.log(4));
        var sampler = sampler(Sampling.DEFAULT.withSeed(7), TokenMask.ALL);
        var counts = new int[4];
        // When
        for (int i = 0; i < 100_000; i++) {
            counts[drawn(sampler, logits)]++;
        }
        // Then, within five standard deviations
        for (int token = 0; token < 4; token++) {
            assertThat(counts[token] / 100_000.0).isCloseTo(0.1 * (token + 1), within(0.008));
        }
    }

    @Test
    void heatMakesTheImprobableMoreProbable() {
        var cold = share(new Sampling(0.5, 1, 0, 0, 0, Map.of(), 7L, null));
        var hot = share(new Sampling(2, 1, 0, 0, 0, Map.of(), 7L, null));

        // 1 : e^2 and 1 : e^0.5 instead of 1 : e
        assertThat(cold).isCloseTo(1 / (1 + Math.exp(2)), within(0.01));
        assertThat(hot).isCloseTo(1 / (1 + Math.exp(0.5)), within(0.01));
    }

    private static double share(Sampling sampling) {
        var sampler = sampler(sampling, TokenMask.ALL);
        return IntStream.range(0, 50_000)
                        .filter(_ -> drawn(sampler, logits(0, 1)) == 0)
                        .count()
                / 50_000.0;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void topPAndMinPKeepWhatSortingTheWholeVocabularyKeeps(int seed) {
        // Given probabilities from flat to steep
        var random = new SplittableRandom(seed);
        int size = random.nextInt(1, 5000);
        double topP = random.nextInt(4) == 0 ? 1 : random.nextDouble(0.05, 1);
        double minP = random.nextInt(2) == 0 ? 0 : random.nextDouble(0.5);
        double spread = random.nextDouble(0.1, 20);
        var logits = new float[size];
        for (int i = 0; i < size; i++) {
            logits[i] = (float) (random.nextDouble() * spread);
        }
        var distribution = new Distribution(size);
        distribution.read(segment(logits), null);
        distribution.prepare();
        // When
        var drawn = IntStream.range(0, DRAWS)
                .mapToObj(i -> distribution.draw(1, topP, minP, i / (double) DRAWS))
                .collect(Collectors.toSet());
        // Then nothing else came, and everything that had to
        var allowed = kept(logits, topP, minP, ROUNDING);
        assertThat(allowed).containsAll(drawn);
        double total = weight(allowed, logits);
        assertThat(drawn)
                .containsAll(kept(logits, topP, minP, -ROUNDING).stream()
                        .filter(token -> Math.exp(logits[token]) > 2 * total / DRAWS)
                        .toList());
    }

    private static double weight(List<Integer> tokens, float[] logits) {
        return tokens.stream().mapToDouble(token -> Math.exp(logits[token])).sum();
    }

    static IntStream seeds() {
        return IntStream.range(0, 20 * Integer.getInteger("scale", 1));
    }

    /// By sorting everything.
    private static List<Integer> kept(float[] logits, double topP, double minP, double slack) {
        double max = IntStream.range(0, logits.length)
                .mapToDouble(i -> logits[i])
                .max()
                .orElseThrow();
        var order = IntStream.range(0, logits.length)
                .boxed()
                .sorted((a, b) -> Float.compare(logits[b], logits[a]))
                .toList();
        double total =
                order.stream().mapToDouble(i -> Math.exp(logits[i] - max)).sum();
        var kept = new ArrayList<Integer>();
        double least = minP;
        double weight = 0;
        for (int token : order) {
            double one = Math.exp(logits[token] - max);
            if (!kept.isEmpty() && one < least * (1 - slack)) {
                break;
            }
            kept.add(token);
            weight += one;
            if (weight >= topP * total * (1 + slack)) {
                least = Math.max(least, one);
            }
        }
        return kept;
    }

    @Test
    void aMaskLeavesOnlyWhatItAllows() {
        var allowed = new long[] {0, 1L << 2 | 1L << 5};
        var mask = new Allowing(allowed);
        var logits = new float[200];
        logits[0] = 100;
        logits[69] = 1;

        assertThat(drawn(sampler(Sampling.GREEDY, mask), logits)).isEqualTo(69);
        var sampler = sampler(Sampling.DEFAULT.withSeed(1), mask);
        assertThat(IntStream.range(0, 500).map(_ -> drawn(sampler, logits)).distinct())
                .containsExactlyInAnyOrder(66, 69);
        assertThat(mask.accepted).isEqualTo(501);
    }

    @Test
    void aMaskThatAllowsNothingGivesNothing() {
        assertThat(draw(sampler(Sampling.GREEDY, new Allowing(new long[0])), new float[70]))
                .isNull();
        assertThat(draw(sampler(Sampling.DEFAULT, TokenMask.ALL), logits(1, Double.NaN)))
                .isNull();
    }

    @Test
    void biasAndPenaltiesMoveLogits() {
        assertThat(first(withBias(Map.of(1, 5.0, 9999, 1.0)), 0, 0, 1)).isEqualTo(1);
        assertThat(first(withBias(Map.of(2, -100.0)), 0, 1, 2)).isEqualTo(1);

        // Token 0 leads by 1.5 and has been said twice: 2 * 0.5 + 0.6 are more.
        var penalised = new Sampling(0, 1, 0, 0.6, 0.5, Map.of(), null, null);
        var said = new TokenSampler(request(penalised, TokenMask.ALL, 0, 0), 0);
        assertThat(drawn(said, logits(1.5, 0))).isEqualTo(1);
        assertThat(drawn(new TokenSampler(request(penalised, TokenMask.ALL, 0), 0), logits(1.5, 0)))
                .isZero();
    }

    private static Sampling withBias(Map<Integer, Double> bias) {
        return Sampling.GREEDY.withLogitBias(bias);
    }

    @Test
    void aSamplerThatTakesOverDrawsAsTheOneBeforeWouldHave() {
        // Given
        var random = new SplittableRandom(3);
        var steps = IntStream.range(0, 40)
                .mapToObj(_ -> logits(random.doubles(50).map(one -> 4 * one).toArray()))
                .toList();
        var sampling = new Sampling(1, 0.9, 0.01, 0.5, 0.5, Map.of(), 11L, null);
        var whole = sampler(sampling, TokenMask.ALL);
        var tokens = steps.stream().mapToInt(step -> drawn(whole, step)).toArray();
        for (int cut = 0; cut < tokens.length; cut++) {
            // When
            var rest = new TokenSampler(request(sampling, TokenMask.ALL, Arrays.copyOf(tokens, cut)), 0);
            // Then
            for (int i = cut; i < tokens.length; i++) {
                assertThat(drawn(rest, steps.get(i))).isEqualTo(tokens[i]);
            }
        }
    }

    @Test
    void otherSeedsDrawOtherwiseAndTheEnginesOwnIsUsedOnlyWhereTheRequestNamesNone() {
        assertThat(draws(1L, 0)).isEqualTo(draws(1L, 99)).isNotEqualTo(draws(2L, 0));
        assertThat(draws(null, 5)).isEqualTo(draws(5L, 0)).isNotEqualTo(draws(null, 6));
    }

    private static int[] draws(@Nullable Long seed, long own) {
        var sampling = new Sampling(1, 1, 0, 0, 0, Map.of(), seed, null);
        var sampler = new TokenSampler(request(sampling, TokenMask.ALL), own);
        return IntStream.range(0, 20).map(_ -> drawn(sampler, new float[1000])).toArray();
    }

    @Test
    void logProbabilitiesAreThoseOfTheWholeVocabularyBeforeTemperature() {
        // Given tokens of 10, 20, 30 and 40 percent, and one that the mask bans
        var logits = logits(Math.log(1), Math.log(2), Math.log(3), Math.log(4), 9);
        var sampling = new Sampling(0, 1, 0, 0, 0, Map.of(), 7L, 3);
        // When
        var step = Objects.requireNonNull(draw(sampler(sampling, new Allowing(new long[] {0b1111})), logits));
        // Then
        var logprobs = Objects.requireNonNull(step.logprobs());
        assertThat(logprobs.logprob()).isCloseTo(Math.log(0.4), within(2e-5));
        assertThat(logprobs.top()).extracting(Alternative::token).containsExactly(3, 2, 1);
        assertThat(logprobs.top().get(1).logprob()).isCloseTo(Math.log(0.3), within(2e-5));
        assertThat(first(Sampling.GREEDY, 1, 2)).isEqualTo(1);
    }

    @Test
    void weightsAreThoseOfTheMathLibrary() {
        var logits = new float[1001];
        for (float x = 0; x > -30; x -= 0.137f) {
            Arrays.fill(logits, 1, logits.length, x);
            var sampling = Sampling.GREEDY.withTopLogprobs(0);

            var step = Objects.requireNonNull(draw(sampler(sampling, TokenMask.ALL), logits));

            assertThat(Objects.requireNonNull(step.logprobs()).logprob())
                    .isCloseTo(-Math.log1p(1000 * Math.exp(x)), within(2e-5));
        }
    }

    /// Where the sum was rounded up, the last token that may come is the one.
    @Test
    void noTokenThatIsBannedComesWhereRoundingLeavesHeightOver() {
        var random = new SplittableRandom(5);
        var distribution = new Distribution(1024);
        for (int i = 0; i < 300; i++) {
            var logits = logits(random.doubles(1024).toArray());
            Arrays.fill(logits, 900, 1024, BANNED);
            distribution.read(segment(logits), null);
            distribution.prepare();

            assertThat(distribution.draw(1, 1, 0, Math.nextDown(1.0))).isLessThan(900);
            assertThat(distribution.draw(1, 1 - 1e-12, 0, Math.nextDown(1.0))).isLessThan(900);
        }
    }

    private static int first(Sampling sampling, double... logits) {
        return drawn(sampler(sampling, TokenMask.ALL), logits(logits));
    }

    private static int drawn(TokenSampler sampler, float[] logits) {
        return Objects.requireNonNull(draw(sampler, logits)).id();
    }

    private static Step.@Nullable Token draw(TokenSampler sampler, float[] logits) {
        return sampler.draw(segment(logits), DISTRIBUTIONS.computeIfAbsent(logits.length, Distribution::new));
    }

    private static MemorySegment segment(float[] logits) {
        return MemorySegment.ofArray(logits);
    }

    private static float[] logits(double... logits) {
        var floats = new float[logits.length];
        IntStream.range(0, logits.length).forEach(i -> floats[i] = (float) logits[i]);
        return floats;
    }

    private static TokenSampler sampler(Sampling sampling, TokenMask mask) {
        return new TokenSampler(request(sampling, mask), 0);
    }

    private static GenerationRequest request(Sampling sampling, TokenMask mask, int... prefix) {
        return new GenerationRequest("test", new int[] {1}, prefix, sampling, 1000, Set.of(), mask, "");
    }

    private static final class Allowing implements TokenMask {
        private final long[] allowed;
        private int accepted;

        Allowing(long[] allowed) {
            this.allowed = allowed;
        }

        @Override
        public long[] allowed() {
            return allowed;
        }

        @Override
        public void accept(int token) {
            accepted++;
        }
    }
}
