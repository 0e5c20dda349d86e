package dev.counterpoint.engine.llama.bench;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.sampling.Distribution;
import dev.counterpoint.engine.llama.sampling.TokenSampler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// One token drawn from the logits of Harmony's whole vocabulary.
@State(Scope.Thread)
public class SamplerBenchmark {
    private static final int VOCABULARY = 201_088;
    private static final int SAID = 1000;
    /// The steps of a generation differ, so that no branch learns one by heart.
    private static final int STEPS = 8;

    /// How the logits lie: a few far above the rest, as models mostly have them; around a middle; nearly all alike.
    public enum Logits {
        STEEP(3, 20),
        SPREAD(2.5, 0),
        FLAT(0.1, 0);

        private final double deviation;
        private final double lead;

        Logits(double deviation, double lead) {
            this.deviation = deviation;
            this.lead = lead;
        }

        private float draw(SplittableRandom random, int token) {
            return (float) (deviation * random.nextGaussian() + (token % 20_000 == 7 ? lead * random.nextDouble() : 0));
        }
    }

    /// What a request asks for.
    public enum Settings {
        GREEDY(Sampling.GREEDY, TokenMask.ALL),
        TEMPERATURE_1(Sampling.DEFAULT, TokenMask.ALL),
        TEMPERATURE_07_TOP_P_095(new Sampling(0.7, 0.95, 0, 0, 0, Map.of(), 1L, null), TokenMask.ALL),
        TOP_P_095(new Sampling(1, 0.95, 0, 0, 0, Map.of(), 1L, null), TokenMask.ALL),
        MIN_P_005(new Sampling(1, 1, 0.05, 0, 0, Map.of(), 1L, null), TokenMask.ALL),
        PENALTIES(new Sampling(1, 1, 0, 0.5, 0.5, Map.of(), 1L, null), TokenMask.ALL),
        LOGPROBS_5(new Sampling(1, 1, 0, 0, 0, Map.of(), 1L, 5), TokenMask.ALL),
        MASK_OF_FEW(Sampling.DEFAULT, new FixedMask(3000)),
        MASK_OF_HALF(Sampling.DEFAULT, new FixedMask(2));

        private final Sampling sampling;
        private final TokenMask mask;

        Settings(Sampling sampling, TokenMask mask) {
            this.sampling = sampling;
            this.mask = mask;
        }
    }

    /// Allows one token of so many, at random.
    private static final class FixedMask implements TokenMask {
        private final long[] allowed = new long[(VOCABULARY + Long.SIZE - 1) / Long.SIZE];

        FixedMask(int oneOf) {
            var random = new SplittableRandom(2);
            for (int token = 0; token < VOCABULARY; token++) {
                allowed[token / Long.SIZE] |= random.nextInt(oneOf) == 0 ? 1L << token : 0;
            }
        }

        @Override
        public long[] allowed() {
            return allowed;
        }

        @Override
        public void accept(int token) {
            // Always the same mask.
        }
    }

    @Param
    public Logits logits = Logits.STEEP;

    @Param
    public Settings settings = Settings.GREEDY;

    private final MemorySegment[] steps = new MemorySegment[STEPS];
    private final float[] plain = new float[VOCABULARY];
    private final Distribution distribution = new Distribution(VOCABULARY);
    private @Nullable TokenSampler sampler;
    private int step;

    @Setup
    public void prepare() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < STEPS; i++) {
            steps[i] = Arena.ofAuto().allocate(ValueLayout.JAVA_FLOAT, VOCABULARY);
            for (int token = 0; token < VOCABULARY; token++) {
                steps[i].setAtIndex(ValueLayout.JAVA_FLOAT, token, logits.draw(random, token));
            }
        }
        MemorySegment.copy(steps[0], ValueLayout.JAVA_FLOAT, 0, plain, 0, VOCABULARY);
        int[] said = random.ints(SAID, 0, VOCABULARY).toArray();
        var request = new GenerationRequest(
                "bench", new int[] {1}, said, settings.sampling, Integer.MAX_VALUE, Set.of(), settings.mask, "");
        sampler = new TokenSampler(request, 1);
    }

    @Benchmark
    public Step.@Nullable Token draw() {
        step = (step + 1) % STEPS;
        return sampler == null ? null : sampler.draw(steps[step], distribution);
    }

    /// What to compare with: the least that anybody must do.
    @Benchmark
    public float greatest() {
        float greatest = Float.NEGATIVE_INFINITY;
        for (float logit : plain) {
            greatest = Math.max(greatest, logit);
        }
        return greatest;
    }
}
