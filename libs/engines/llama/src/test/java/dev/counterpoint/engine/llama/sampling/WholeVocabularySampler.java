package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import dev.counterpoint.engine.TokenMask;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Draws the straightforward way: every array holds the whole vocabulary, nothing is left out. It has in common with
/// the real sampler how sums are rounded, so that both draw the same tokens bit for bit.
final class WholeVocabularySampler {
    private static final int BLOCK = 1024;

    private final Sampling sampling;
    private final TokenMask mask;
    private final Map<Integer, Integer> said = new HashMap<>();
    private final long seed;
    private int position;

    WholeVocabularySampler(GenerationRequest request, long seed) {
        this.sampling = request.sampling();
        this.mask = request.mask();
        this.seed = sampling.seed() == null ? seed : sampling.seed();
        for (int token : request.prefix()) {
            accept(token);
        }
    }

    private void accept(int token) {
        mask.accept(token);
        said.merge(token, 1, Integer::sum);
        position++;
    }

    Step.@Nullable Token draw(float[] step) {
        float[] logits = changed(step);
        float max = Float.NEGATIVE_INFINITY;
        for (float logit : logits) {
            max = Math.max(max, logit);
        }
        if (!Float.isFinite(max)) {
            return null;
        }
        int token = draw(logits, max);
        var alternatives = sampling.topLogprobs();
        var logprobs = alternatives == null ? null : logprobs(logits, max, token, alternatives);
        accept(token);
        return new Step.Token(token, logprobs);
    }

    private float[] changed(float[] step) {
        float[] logits = step.clone();
        sampling.logitBias().forEach((token, bias) -> {
            if (token >= 0 && token < logits.length) {
                logits[token] += bias.floatValue();
            }
        });
        said.forEach((token, times) ->
                logits[token] -= (float) (sampling.presencePenalty() + sampling.frequencyPenalty() * times));
        long[] allowed = mask.allowed();
        for (int token = 0; token < logits.length; token++) {
            if (!TokenMask.allows(allowed, token)) {
                logits[token] = Float.NEGATIVE_INFINITY;
            }
        }
        return logits;
    }

    private int draw(float[] logits, float max) {
        int best = first(logits, max);
        if (sampling.temperature() == 0) {
            return best;
        }
        float[] weights = weights(logits, max, (float) (1 / sampling.temperature()));
        if (sampling.topP() == 1 && sampling.minP() == 0) {
            int token = at(weights, chance() * total(weights));
            return token < 0 ? best : token;
        }
        var classes = new WeightClasses(weights.length);
        System.arraycopy(weights, 0, classes.weights, 0, weights.length);
        classes.sort(weights.length);
        float least = Math.max((float) sampling.minP(), Exponentials.LEAST_KEPT);
        if (sampling.topP() < 1) {
            least = Math.max(least, classes.lastOfTop(sampling.topP() * classes.total()));
        }
        int token = classes.draw(least, chance());
        return token == WeightClasses.NONE ? best : token;
    }

    private static int first(float[] logits, float wanted) {
        return IntStream.range(0, logits.length)
                .filter(token -> logits[token] == wanted)
                .findFirst()
                .orElseThrow();
    }

    private static float[] weights(float[] logits, float max, float scale) {
        var weights = new float[logits.length];
        var exponentials = new Exponentials(logits.length);
        exponentials.scale(max, scale);
        exponentials.of(logits, logits.length, weights, 0);
        return weights;
    }

    private static double total(float[] weights) {
        double total = 0;
        for (int block = 0; block < weights.length; block += BLOCK) {
            total += sum(weights, block);
        }
        return total;
    }

    private static double sum(float[] weights, int block) {
        var sums = new float[4];
        int end = Math.min(block + BLOCK, weights.length);
        int even = end - (end - block) % 4;
        for (int token = block; token < end; token++) {
            sums[token < even ? token % 4 : 0] += weights[token];
        }
        return (double) sums[0] + sums[1] + ((double) sums[2] + sums[3]);
    }

    private static int at(float[] weights, double height) {
        double left = height;
        int block = 0;
        while (block + BLOCK < weights.length && left >= sum(weights, block)) {
            left -= sum(weights, block);
            block += BLOCK;
        }
        int last = -1;
        for (int token = block; token < Math.min(block + BLOCK, weights.length); token++) {
            if (weights[token] >= Exponentials.LEAST_KEPT) {
                last = token;
                left -= weights[token];
                if (left < 0) {
                    return token;
                }
            }
        }
        return last;
    }

    private static TokenLogprobs logprobs(float[] logits, float max, int token, int alternatives) {
        double logTotal = max + Math.log(total(weights(logits, max, 1)));
        var top = IntStream.range(0, logits.length)
                .boxed()
                .filter(one -> logits[one] > Float.NEGATIVE_INFINITY)
                .sorted(Comparator.comparingDouble((Integer one) -> 0.0 - logits[one]))
                .limit(alternatives)
                .map(one -> new Alternative(one, Math.min(0, logits[one] - logTotal)))
                .toList();
        return new TokenLogprobs(Math.min(0, logits[token] - logTotal), top);
    }

    private double chance() {
        long state = seed + 0x9E3779B97F4A7C15L * position;
        return new SplittableRandom(state).nextDouble();
    }
}
