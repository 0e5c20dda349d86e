package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The probabilities of one step: memory that is used again for every step of all sequences that one thread draws for.
/// Not thread-safe.
///
/// Weights stay in plain loops over arrays of floats, which the compiler turns into vector instructions.
public final class Distribution {
    /// What weighs this or less beside the best token's 1 never comes: as good as impossible, or banned.
    private static final float LEAST = 1.3e-14f;
    /// Its logarithm is a little below that of [#LEAST].
    private static final float LOWEST = -32;

    private static final float SCALE_MAX = 1e30f;
    /// Where the search for the most probable tokens begins, as a part of the best one's weight.
    private static final float FIRST_BOUND = 1 / 16f;

    /// The tokens that may come, in ascending order; the other arrays are of the same order.
    private final int[] tokens;
    private final float[] logits;
    private final float[] weights;
    private int count;
    private int best;

    /// @param vocabularySize how many logits there are
    public Distribution(int vocabularySize) {
        tokens = new int[vocabularySize];
        logits = new float[vocabularySize];
        weights = new float[vocabularySize];
    }

    /// Reads the logits of the next step, which may be changed before [#prepare].
    ///
    /// @param allowed as in a mask; null for everything
    void read(MemorySegment step, long @Nullable [] allowed) {
        count = 0;
        if (allowed == null) {
            MemorySegment.copy(step, ValueLayout.JAVA_FLOAT, 0, logits, 0, logits.length);
            for (; count < logits.length; count++) {
                tokens[count] = count;
            }
            return;
        }
        for (int word = 0; word < allowed.length; word++) {
            for (long bits = allowed[word]; bits != 0; bits &= bits - 1) {
                int token = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                if (token < logits.length) {
                    tokens[count] = token;
                    logits[count++] = step.getAtIndex(ValueLayout.JAVA_FLOAT, token);
                }
            }
        }
    }

    /// Changes a logit of this step; one that cannot come is left out.
    void add(int token, float bias) {
        int place = place(token);
        if (place >= 0) {
            logits[place] += bias;
        }
    }

    private int place(int token) {
        return Arrays.binarySearch(tokens, 0, count, token);
    }

    /// @return whether any token can come; not if a logit is NaN or infinite, for then the model is broken
    boolean prepare() {
        float greatest = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            greatest = Math.max(greatest, logits[i]);
        }
        if (!Float.isFinite(greatest)) {
            return false;
        }
        best = 0;
        while (logits[best] != greatest) {
            best++;
        }
        return true;
    }

    /// The most probable token, the first of them.
    int best() {
        return tokens[best];
    }

    /// @param temperature above 0
    /// @param chance in [0, 1)
    int draw(double temperature, double topP, double minP, double chance) {
        weigh((float) Math.min(1 / temperature, SCALE_MAX));
        float least = Math.max((float) minP, topP < 1 ? leastOfTop(topP * weightFrom(0)) : Float.MIN_VALUE);
        double left = chance * weightFrom(least);
        int last = best; // rounding can leave a little height over
        for (int i = 0; i < count && left >= 0; i++) {
            if (weights[i] >= least) {
                last = i;
                left -= weights[i];
            }
        }
        return tokens[last];
    }

    /// `e^((logit - greatest) * scale)` to 1 part in 50,000: the series of its 64th part, squared six times.
    private void weigh(float scale) {
        float greatest = logits[best];
        for (int i = 0; i < count; i++) {
            float x = Math.max((logits[i] - greatest) * scale, LOWEST) / 64;
            float tail = 1 / 24f + x * (1 / 120f + x * (1 / 720f + x / 5040));
            float root = 1 + x * (1 + x * (0.5f + x * (1 / 6f + x * tail)));
            float power4 = root * root * root * root;
            float power16 = power4 * power4 * power4 * power4;
            weights[i] = Math.max(power16 * power16 * power16 * power16 - LEAST, 0);
        }
    }

    private double weightFrom(float least) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += weights[i] >= least ? weights[i] : 0;
        }
        return sum;
    }

    /// The least weight among the fewest greatest that together weigh this much. Only as many are sorted as may be
    /// among them.
    private float leastOfTop(double wanted) {
        float bound = FIRST_BOUND;
        while (bound > LEAST && weightFrom(bound) < wanted) {
            bound *= bound;
        }
        var top = new float[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (weights[i] >= bound) {
                top[size++] = weights[i];
            }
        }
        Arrays.sort(top, 0, size);
        double left = wanted;
        int least = size;
        while (least > 0 && left > 0) {
            left -= top[--least];
        }
        return top[least];
    }

    /// Of a token and the most probable ones, at temperature 1.
    TokenLogprobs logprobs(int token, int alternatives) {
        weigh(1);
        double logTotal = logits[best] + Math.log(weightFrom(0));
        var top = mostProbable(alternatives).stream()
                .map(i -> new Alternative(tokens[i], Math.min(0, logits[i] - logTotal)))
                .toList();
        return new TokenLogprobs(Math.min(0, logits[place(token)] - logTotal), top);
    }

    private List<Integer> mostProbable(int wanted) {
        Comparator<Integer> worstFirst =
                Comparator.<Integer>comparingDouble(i -> logits[i]).thenComparing(Comparator.reverseOrder());
        var top = new PriorityQueue<>(worstFirst);
        IntStream.range(0, wanted == 0 ? 0 : count).forEach(i -> {
            if (top.size() < wanted) {
                top.add(i);
            } else if (logits[i] > logits[top.element()]) {
                top.remove();
                top.add(i);
            }
        });
        var sorted = new ArrayList<>(top);
        sorted.sort(worstFirst.reversed());
        return sorted;
    }
}
