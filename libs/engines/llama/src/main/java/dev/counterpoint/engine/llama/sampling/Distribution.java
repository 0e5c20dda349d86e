package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;

/// The probabilities of one step: memory for a vocabulary, used again for every step of all sequences that one thread
/// draws for. Not thread-safe.
///
/// Whole-vocabulary work stays in plain loops over whole arrays of floats, which the compiler turns into
/// vector instructions.
public final class Distribution {
    private static final int BLOCK = 1024;
    private static final float NOT_WEIGHED = 0;

    private final float[] logits;
    private final float[] weights;
    private final Exponentials exponentials;
    private final WeightClasses classes;
    private final double[] blocks;
    /// The greatest logit of each block.
    private final float[] peaks;

    private float max;
    /// The distribution of the weights as they are.
    private float weighedScale;

    /// @param vocabularySize how many logits there are
    public Distribution(int vocabularySize) {
        logits = new float[vocabularySize];
        weights = new float[vocabularySize];
        exponentials = new Exponentials(vocabularySize);
        classes = new WeightClasses(weights);
        blocks = new double[(vocabularySize + BLOCK - 1) / BLOCK];
        peaks = new float[blocks.length];
    }

    /// Takes the logits of a step.
    ///
    /// @return a copy of them, to be changed before [#weigh]: minus infinity for what must not come
    float[] read(MemorySegment step) {
        MemorySegment.copy(step, ValueLayout.JAVA_FLOAT, 0, logits, 0, logits.length);
        return logits;
    }

    /// @return whether any token can come; not if a logit is NaN or infinite, for then the model is broken
    boolean weigh() {
        weighedScale = NOT_WEIGHED;
        max = Float.NEGATIVE_INFINITY;
        for (int block = 0; block < peaks.length; block++) {
            peaks[block] = greatest(block * BLOCK, end(block));
            max = Math.max(max, peaks[block]);
        }
        return max > Float.NEGATIVE_INFINITY && max < Float.POSITIVE_INFINITY;
    }

    private float greatest(int from, int to) {
        float greatest = Float.NEGATIVE_INFINITY;
        for (int token = from; token < to; token++) {
            greatest = Math.max(greatest, logits[token]);
        }
        return greatest;
    }

    private int end(int block) {
        return Math.min((block + 1) * BLOCK, logits.length);
    }

    /// The most probable token, the first of them.
    int best() {
        int block = 0;
        while (peaks[block] != max) {
            block++;
        }
        int token = block * BLOCK;
        while (logits[token] != max) {
            token++;
        }
        return token;
    }

    /// @param temperature above 0
    /// @param chance in [0, 1)
    int draw(double temperature, double topP, double minP, double chance) {
        weights(1 / temperature);
        if (topP == 1 && minP == 0) {
            return at(chance * total());
        }
        double total = classes.sort();
        float least = (float) minP;
        if (topP < 1) {
            least = Math.max(least, classes.lastOfTop(topP * total));
        }
        int token = classes.draw(Math.max(least, Exponentials.LEAST_KEPT), chance);
        return token == WeightClasses.NONE ? best() : token;
    }

    /// Of a token and the most probable ones, at temperature 1.
    TokenLogprobs logprobs(int token, int alternatives) {
        weights(1);
        double logTotal = max + Math.log(total());
        var top = mostProbable(alternatives).stream()
                .map(one -> new Alternative(one, Math.min(0, logits[one] - logTotal)))
                .toList();
        return new TokenLogprobs(Math.min(0, logits[token] - logTotal), top);
    }

    private void weights(double exactScale) {
        float scale = (float) exactScale;
        if (scale != weighedScale) {
            exponentials.of(logits, max, scale, weights);
            weighedScale = scale;
        }
    }

    private double total() {
        double total = 0;
        for (int block = 0; block < blocks.length; block++) {
            blocks[block] = sum(block * BLOCK, end(block));
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
        for (int token = block * BLOCK; token < end(block); token++) {
            if (weights[token] >= Exponentials.LEAST_KEPT) {
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

    private List<Integer> mostProbable(int count) {
        if (count == 0) {
            return List.of();
        }
        var top = new PriorityQueue<Integer>(
                (a, b) -> logits[a] != logits[b] ? Float.compare(logits[a], logits[b]) : Integer.compare(b, a));
        float least = Float.NEGATIVE_INFINITY;
        for (int block = 0; block < peaks.length; block++) {
            for (int token = block * BLOCK; peaks[block] > least && token < end(block); token++) {
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
        }
        var best = new ArrayList<>(top);
        best.sort(Collections.reverseOrder(top.comparator()));
        return best;
    }
}
