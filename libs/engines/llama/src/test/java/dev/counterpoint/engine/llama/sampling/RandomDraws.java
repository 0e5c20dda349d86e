package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.TokenMask;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Requests and steps for samplers of every kind, at random.
final class RandomDraws {
    /// A processor's own NaN is the negative one.
    private static final float[] BROKEN = {Float.NaN, Float.intBitsToFloat(0xFFC00000), Float.POSITIVE_INFINITY};

    private final SplittableRandom random;
    private final int vocabularySize;

    RandomDraws(int seed, int vocabularySize) {
        this.random = new SplittableRandom(seed);
        this.vocabularySize = vocabularySize;
    }

    GenerationRequest request() {
        int[] prefix = random.ints(random.nextInt(30), 0, vocabularySize).toArray();
        return new GenerationRequest("test", new int[] {1}, prefix, sampling(), 1000, Set.of(), mask(), "");
    }

    private Sampling sampling() {
        return new Sampling(
                oneOf(0, 1, 1, random.nextDouble(0.01, 2)),
                oneOf(1, 1, random.nextDouble(0.01, 1), 1 - 1e-9 * random.nextDouble()),
                oneOf(0, 0, random.nextDouble(), 1e-30 * random.nextDouble(), 1e-6 * random.nextDouble()),
                oneOf(0, random.nextDouble(-2, 2)),
                oneOf(0, random.nextDouble(-2, 2)),
                bias(),
                random.nextLong(),
                random.nextBoolean() ? null : random.nextInt(21));
    }

    private double oneOf(double... values) {
        return values[random.nextInt(values.length)];
    }

    private Map<Integer, Double> bias() {
        var bias = new HashMap<Integer, Double>();
        for (int left = random.nextInt(3) * random.nextInt(10); left > 0; left--) {
            bias.put(random.nextInt(-1, vocabularySize + 10), oneOf(-100, 100, random.nextDouble(-5, 5)));
        }
        return bias;
    }

    private TokenMask mask() {
        if (random.nextInt(3) == 0) {
            return TokenMask.ALL;
        }
        int words = random.nextInt(5) > 0 ? (vocabularySize + 63) / 64 : random.nextInt(vocabularySize / 64 + 2);
        var allowed = new long[words];
        int stretch = random.nextInt(1, 40);
        for (int word = 0; word < words; word += stretch) {
            long bits = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> -1;
                case 2 -> random.nextLong();
                default -> 1L << random.nextInt(64);
            };
            Arrays.fill(allowed, word, Math.min(words, word + stretch), bits);
        }
        return new Fixed(allowed);
    }

    /// Steep, spread, flat or in steps, so that blocks of all kinds come: alive, as good as impossible, all alike.
    float[] step() {
        double spread = oneOf(0, 0.1, 3, 20, 80);
        double steps = oneOf(0, 0, 50, 200);
        int stretch = random.nextInt(1, 3000);
        var logits = new float[vocabularySize];
        double level = 0;
        for (int token = 0; token < vocabularySize; token++) {
            level = token % stretch == 0 ? -steps * random.nextDouble() : level;
            logits[token] = (float) (level + spread * random.nextGaussian());
        }
        if (random.nextInt(40) == 0) {
            logits[random.nextInt(vocabularySize)] = BROKEN[random.nextInt(BROKEN.length)];
        }
        return logits;
    }

    private record Fixed(long[] words) implements TokenMask {
        @Override
        public long @Nullable [] allowed() {
            return words;
        }

        @Override
        public void accept(int token) {
            // Always the same mask, also for a prefix under another.
        }
    }
}
