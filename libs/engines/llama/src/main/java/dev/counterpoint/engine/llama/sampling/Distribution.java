package dev.counterpoint.engine.llama.sampling;

import dev.counterpoint.engine.TokenLogprobs;
import dev.counterpoint.engine.TokenLogprobs.Alternative;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// The probabilities of one step: memory that is used again for every step of all sequences that one thread draws for.
/// Not thread-safe.
///
/// Blocks that hold no weight that is kept are left out; the work on the others stays in plain loops over arrays of
/// floats, which the compiler turns into vector instructions.
public final class Distribution {
    private static final float NOT_WEIGHED = 0;
    /// The weights of a block need not fall exactly as its logits do.
    private static final double ROUNDING = 1e-3;

    private final LogitBlocks logits;
    private final Exponentials exponentials;
    private final WeightClasses classes;
    /// The weights of one block.
    private final float[] weights;
    /// How much each block weighs.
    private final double[] sums;
    /// The blocks whose weights are sorted, in ascending order.
    private final int[] sorted;

    private float max;
    /// The scale of the sums as they are.
    private float weighedScale;

    private record Candidate(int token, float logit) {
        static final Comparator<Candidate> WORST_FIRST =
                (a, b) -> a.logit != b.logit ? Float.compare(a.logit, b.logit) : Integer.compare(b.token, a.token);
    }

    /// @param vocabularySize how many logits there are
    public Distribution(int vocabularySize) {
        logits = new LogitBlocks(vocabularySize);
        exponentials = new Exponentials(LogitBlocks.SIZE);
        classes = new WeightClasses(vocabularySize);
        weights = new float[LogitBlocks.SIZE];
        sums = new double[logits.count()];
        sorted = new int[logits.count()];
    }

    /// Goes on to the next step.
    ///
    /// @param allowed as in a mask
    /// @return its logits, to be changed before [#weigh]
    LogitBlocks read(MemorySegment step, long @Nullable [] allowed) {
        logits.read(step, allowed);
        return logits;
    }

    /// @return whether any token can come; not if a logit is NaN or infinite, for then the model is broken
    boolean weigh() {
        weighedScale = NOT_WEIGHED;
        max = logits.peak();
        return max > Float.NEGATIVE_INFINITY && max < Float.POSITIVE_INFINITY;
    }

    /// The most probable token, the first of them.
    int best() {
        int block = 0;
        while (logits.peak(block) != max) {
            block++;
        }
        float[] values = logits.of(block);
        int i = 0;
        while (values[i] != max) {
            i++;
        }
        return logits.start(block) + i;
    }

    /// @param temperature above 0
    /// @param chance in [0, 1)
    int draw(double temperature, double topP, double minP, double chance) {
        float scale = (float) (1 / temperature);
        if (topP == 1 && minP == 0) {
            return at(chance * total(scale));
        }
        float least = Math.max((float) minP, Exponentials.LEAST_KEPT);
        sort(scale, topP < 1 ? Exponentials.LEAST_KEPT : least);
        if (topP < 1) {
            least = Math.max(least, classes.lastOfTop(topP * classes.total()));
        }
        int place = classes.draw(least, chance);
        return place == WeightClasses.NONE
                ? best()
                : logits.start(sorted[place / LogitBlocks.SIZE]) + place % LogitBlocks.SIZE;
    }

    /// Sorts the weights of the blocks that may have some of this size. Only the last block of all can be shorter than
    /// the others, so a weight's place tells its block.
    private void sort(float scale, float least) {
        exponentials.scale(max, scale);
        double lowest = max + (Math.log(least) - ROUNDING) / scale;
        int places = 0;
        int blocks = 0;
        for (int block = 0; block < sums.length; block++) {
            if (logits.peak(block) > lowest) {
                exponentials.of(logits.of(block), logits.length(block), classes.weights, places);
                places += logits.length(block);
                sorted[blocks++] = block;
            }
        }
        classes.sort(places);
    }

    /// Of a token and the most probable ones, at temperature 1.
    TokenLogprobs logprobs(int token, int alternatives) {
        double logTotal = max + Math.log(total(1));
        var top = mostProbable(alternatives).stream()
                .map(one -> new Alternative(one.token, Math.min(0, one.logit - logTotal)))
                .toList();
        return new TokenLogprobs(Math.min(0, logits.logit(token) - logTotal), top);
    }

    /// The sum of all weights, and of each block's.
    private double total(float scale) {
        exponentials.scale(max, scale);
        if (scale != weighedScale) {
            for (int block = 0; block < sums.length; block++) {
                sums[block] = sum(block);
            }
            weighedScale = scale;
        }
        double total = 0;
        for (double sum : sums) {
            total += sum;
        }
        return total;
    }

    private double sum(int block) {
        int length = logits.length(block);
        if (exponentials.vanishes(logits.peak(block))) {
            return (double) length * Exponentials.LEAST;
        }
        exponentials.of(logits.of(block), length, weights, 0);
        return sumOfWeights(length);
    }

    /// Four sums at once, so that no addition waits for the last.
    private double sumOfWeights(int length) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        int i = 0;
        for (; i + 3 < length; i += 4) {
            a += weights[i];
            b += weights[i + 1];
            c += weights[i + 2];
            d += weights[i + 3];
        }
        for (; i < length; i++) {
            a += weights[i];
        }
        return (double) a + b + ((double) c + d);
    }

    /// The token at this height when all weights are stacked in the order of their ids.
    private int at(double height) {
        double left = height;
        int block = 0;
        while (block < sums.length - 1 && left >= sums[block]) {
            left -= sums[block++];
        }
        if (exponentials.vanishes(logits.peak(block))) {
            return best();
        }
        int length = logits.length(block);
        exponentials.of(logits.of(block), length, weights, 0);
        int last = -1;
        for (int i = 0; i < length; i++) {
            if (weights[i] >= Exponentials.LEAST_KEPT) {
                last = i;
                left -= weights[i];
                if (left < 0) {
                    break;
                }
            }
        }
        // Rounding can leave a little height at the end of a block.
        return last >= 0 ? logits.start(block) + last : best();
    }

    private List<Candidate> mostProbable(int count) {
        if (count == 0) {
            return List.of();
        }
        var top = new PriorityQueue<>(Candidate.WORST_FIRST);
        float least = Float.NEGATIVE_INFINITY;
        for (int block = 0; block < sums.length; block++) {
            if (logits.peak(block) > least) {
                least = offer(top, count, block, least);
            }
        }
        var best = new ArrayList<>(top);
        best.sort(Collections.reverseOrder(Candidate.WORST_FIRST));
        return best;
    }

    /// @return the least logit that the full queue holds
    private float offer(PriorityQueue<Candidate> top, int count, int block, float leastBefore) {
        float least = leastBefore;
        float[] values = logits.of(block);
        for (int i = 0; i < logits.length(block); i++) {
            if (values[i] > least) {
                top.add(new Candidate(logits.start(block) + i, values[i]));
                if (top.size() > count) {
                    top.remove();
                }
                if (top.size() == count) {
                    least = top.element().logit;
                }
            }
        }
        return least;
    }
}
