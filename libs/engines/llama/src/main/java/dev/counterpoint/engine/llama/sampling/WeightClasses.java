package dev.counterpoint.engine.llama.sampling;

import java.util.Arrays;

/// The weights of a step, sorted so far as cutting the improbable ones off asks for: each weight into a class by the
/// first bits of its float, for positive floats are ordered as their bits are, and only where a cut falls into a class
/// by the rest.
///
/// Passes over the weights take the same time whatever they are, save when nearly all are in
/// one class. Not thread-safe.
final class WeightClasses {
    /// A class are weights with the same exponent and the same first bits of the fraction.
    private static final int CLASS_SHIFT = 16;

    private static final int CLASSES = (Float.floatToRawIntBits(1) >>> CLASS_SHIFT) + 1;
    private static final int DIGIT_BITS = 8;
    private static final int DIGITS = 1 << DIGIT_BITS;
    static final int NONE = -1;

    /// From 0 to 1; to be written before they are sorted.
    final float[] weights;

    private final double[] sums = new double[CLASSES];
    private final double[] digitSums = new double[DIGITS];
    /// Places of the weights of one class, in ascending order.
    private final int[] members;

    private int count;

    private int memberClass = NONE;
    private int memberCount;

    /// @param countMax of the weights
    WeightClasses(int countMax) {
        this.weights = new float[countMax];
        this.members = new int[countMax];
    }

    /// Sorts the first of the weights, as they are now.
    void sort(int newCount) {
        count = newCount;
        memberClass = NONE;
        Arrays.fill(sums, 0);
        for (int place = 0; place < count; place++) {
            sums[classOf(weights[place])] += weights[place];
        }
    }

    /// How much they weigh together.
    double total() {
        double total = 0;
        for (double sum : sums) {
            total += sum;
        }
        return total;
    }

    private static int classOf(float weight) {
        return Float.floatToRawIntBits(weight) >>> CLASS_SHIFT;
    }

    /// The least weight among the fewest greatest that together weigh this much.
    float lastOfTop(double wanted) {
        double left = wanted;
        int last = CLASSES - 1;
        while (last > 0 && sums[last] < left) {
            left -= sums[last--];
        }
        gather(last);
        int known = last;
        for (int shift = CLASS_SHIFT - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
            sortByDigit(known, shift);
            int digit = DIGITS - 1;
            int least = NONE;
            for (; digit >= 0; digit--) {
                if (digitSums[digit] > 0) {
                    least = digit;
                    if (digitSums[digit] >= left) {
                        break;
                    }
                    left -= digitSums[digit];
                }
            }
            if (least == NONE) {
                return 0; // the last class is empty: everything is wanted
            }
            known = known << DIGIT_BITS | least;
        }
        return Float.intBitsToFloat(known);
    }

    /// Sums up the members that begin with known bits, by the digit that follows.
    private void sortByDigit(int known, int shift) {
        Arrays.fill(digitSums, 0);
        for (int i = 0; i < memberCount; i++) {
            float weight = weights[members[i]];
            int bits = Float.floatToRawIntBits(weight) >>> shift;
            if (bits >>> DIGIT_BITS == known) {
                digitSums[bits & DIGITS - 1] += weight;
            }
        }
    }

    private void gather(int wanted) {
        if (memberClass == wanted) {
            return;
        }
        memberClass = wanted;
        memberCount = 0;
        for (int place = 0; place < count; place++) {
            if (classOf(weights[place]) == wanted) {
                members[memberCount++] = place;
            }
        }
    }

    /// Draws among the weights of this size or more: stacks them by class, the greatest first, and in a class by
    /// their places.
    ///
    /// @param least not above the greatest weight
    /// @param chance in [0, 1)
    /// @return a place, or [#NONE] when rounding left nothing of a great chance
    int draw(float least, double chance) {
        int lowest = classOf(least);
        gather(lowest);
        double left = chance * weightFrom(least, lowest);
        for (int each = CLASSES - 1; each > lowest; each--) {
            if (left < sums[each]) {
                return at(each, left);
            }
            left -= sums[each];
        }
        int last = NONE;
        for (int i = 0; i < memberCount && left >= 0; i++) {
            if (weights[members[i]] >= least) {
                last = members[i];
                left -= weights[last];
            }
        }
        return last;
    }

    private double weightFrom(float least, int lowest) {
        double weight = 0;
        for (int i = 0; i < memberCount; i++) {
            float one = weights[members[i]];
            weight += one >= least ? one : 0;
        }
        for (int each = lowest + 1; each < CLASSES; each++) {
            weight += sums[each];
        }
        return weight;
    }

    /// The place at this height of a class.
    private int at(int wanted, double height) {
        double left = height;
        int last = NONE;
        for (int place = 0; place < count; place++) {
            if (classOf(weights[place]) == wanted) {
                last = place;
                left -= weights[place];
                if (left < 0) {
                    return place;
                }
            }
        }
        return last; // rounding left a little height over
    }
}
