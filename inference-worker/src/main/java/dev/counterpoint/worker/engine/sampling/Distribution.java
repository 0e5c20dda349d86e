package dev.counterpoint.worker.engine.sampling;

import dev.counterpoint.worker.engine.TokenLogprobs;
import dev.counterpoint.worker.engine.TokenLogprobs.Alternative;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/// The probabilities of one step. Used again for every step of a sequence; not thread-safe.
///
/// Whole-vocabulary work stays in plain loops over floats. Nothing is sorted but the few weights between which a cut
/// falls.
final class Distribution {
    private static final int BLOCK = 1024;
    /// Weights share a class when these bits of theirs are the same: sign, exponent and the first of the fraction.
    private static final int CLASS_SHIFT = 16;

    private static final int CLASSES = (Float.floatToRawIntBits(1) >>> CLASS_SHIFT) + 1;

    private final float[] weights;
    private final Exponentials exponentials;
    private final double[] blocks;
    private float[] logits = {};
    private float max;

    Distribution(int vocabularySize) {
        weights = new float[vocabularySize];
        exponentials = new Exponentials(vocabularySize);
        blocks = new double[(vocabularySize + BLOCK - 1) / BLOCK];
    }

    /// @param logits of this step, kept until the next; minus infinity for what must not come
    /// @return whether any token can come; not if a logit is NaN or infinite, for then the model is broken
    boolean weigh(float[] logits) {
        this.logits = logits;
        max = Float.NEGATIVE_INFINITY;
        for (float logit : logits) {
            max = Math.max(max, logit);
        }
        return max > Float.NEGATIVE_INFINITY && max < Float.POSITIVE_INFINITY;
    }

    /// The most probable token, the first of them.
    int best() {
        for (int token = 0; token < logits.length; token++) {
            if (logits[token] == max) {
                return token;
            }
        }
        throw new IllegalStateException("the maximum is gone");
    }

    /// @param temperature above 0
    /// @param chance in [0, 1)
    int draw(double temperature, double topP, double minP, double chance) {
        double total = weights(1 / temperature);
        float least = (float) minP;
        if (topP < 1) {
            least = Math.max(least, lastOfTop(topP * total));
        }
        return at(chance * (least > 0 ? dropBelow(least) : total));
    }

    /// Of a token and the most probable ones, at temperature 1.
    TokenLogprobs logprobs(int token, int alternatives) {
        double logTotal = max + Math.log(weights(1));
        var top = mostProbable(alternatives).stream()
                .map(one -> new Alternative(one, Math.min(0, logits[one] - logTotal)))
                .toList();
        return new TokenLogprobs(Math.min(0, logits[token] - logTotal), top);
    }

    private double weights(double scale) {
        exponentials.of(logits, max, (float) scale, weights);
        return total();
    }

    private double dropBelow(float least) {
        for (int token = 0; token < weights.length; token++) {
            weights[token] = weights[token] >= least ? weights[token] : 0;
        }
        return total();
    }

    private double total() {
        double total = 0;
        for (int block = 0; block < blocks.length; block++) {
            blocks[block] = sum(block * BLOCK, Math.min((block + 1) * BLOCK, weights.length));
            total += blocks[block];
        }
        return total;
    }

    /// Four sums at once, so that no addition waits for the last.
    private double sum(int from, int to) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        int i = from;
        for (; i + 3 < to; i += 4) {
            a += weights[i];
            b += weights[i + 1];
            c += weights[i + 2];
            d += weights[i + 3];
        }
        for (; i < to; i++) {
            a += weights[i];
        }
        return (double) a + b + ((double) c + d);
    }

    /// The token at this height when all weights are stacked in the order of their ids.
    private int at(double height) {
        double left = height;
        int block = 0;
        while (block < blocks.length - 1 && left >= blocks[block]) {
            left -= blocks[block++];
        }
        int last = -1;
        for (int token = block * BLOCK; token < Math.min((block + 1) * BLOCK, weights.length); token++) {
            if (weights[token] > Exponentials.LEAST) {
                last = token;
                left -= weights[token];
                if (left < 0) {
                    return token;
                }
            }
        }
        // Rounding can leave a little height at the end of a block.
        return last >= 0 ? last : best();
    }

    /// The least weight among the fewest most probable tokens that together weigh this much.
    private float lastOfTop(double wanted) {
        var classes = new float[CLASSES];
        for (float weight : weights) {
            classes[classOf(weight)] += weight;
        }
        double weight = 0;
        int last = CLASSES - 1;
        while (last > 0 && weight + classes[last] < wanted) {
            weight += classes[last--];
        }
        var members = members(last);
        int at = members.length - 1;
        while (at > 0 && weight + members[at] < wanted) {
            weight += members[at--];
        }
        return at < 0 ? 0 : members[at];
    }

    /// Positive floats are ordered as their bits are.
    private static int classOf(float weight) {
        return Float.floatToRawIntBits(weight) >>> CLASS_SHIFT;
    }

    /// The weights of one class, in ascending order.
    private float[] members(int wanted) {
        int count = 0;
        for (float weight : weights) {
            count += classOf(weight) == wanted ? 1 : 0;
        }
        var members = new float[count];
        for (int token = 0; count > 0; token++) {
            if (classOf(weights[token]) == wanted) {
                members[--count] = weights[token];
            }
        }
        Arrays.sort(members);
        return members;
    }

    private List<Integer> mostProbable(int count) {
        if (count == 0) {
            return List.of();
        }
        var top = new PriorityQueue<Integer>(
                (a, b) -> logits[a] != logits[b] ? Float.compare(logits[a], logits[b]) : Integer.compare(b, a));
        float least = Float.NEGATIVE_INFINITY;
        for (int token = 0; token < logits.length; token++) {
            if (logits[token] > least) {
                top.add(token);
                if (top.size() > count) {
                    top.remove();
                }
                if (top.size() == count) {
                    least = logits[top.element()];
                }
            }
        }
        var best = new ArrayList<>(top);
        best.sort(Collections.reverseOrder(top.comparator()));
        return best;
    }
}
