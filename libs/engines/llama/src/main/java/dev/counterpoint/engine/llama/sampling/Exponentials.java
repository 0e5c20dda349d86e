package dev.counterpoint.engine.llama.sampling;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `e^x` for a block of logits at once, in loops that the compiler turns into vector instructions, which it does with
/// nothing that calls [Math#exp]. Not thread-safe.
final class Exponentials {
    /// Results this small stand for all that are smaller: `e^-87` and less, as good as impossible.
    static final float LEAST = Float.MIN_NORMAL;

    /// The first float above it: what weighs less must not come, for it may be banned.
    static final float LEAST_KEPT = Math.nextUp(LEAST);

    private static final int LEAST_BITS = Float.floatToRawIntBits(LEAST);
    /// What is this small or smaller has the result [#LEAST].
    private static final int LEAST_EXPONENT = Float.MIN_EXPONENT - 1;
    private static final float LOG2_E = 1.442695f;
    private static final int MANTISSA_BITS = 23;
    private static final float MANTISSA_UNIT = 1 << MANTISSA_BITS;
    /// Adding and taking away rounds a float of this size to a whole number.
    private static final float ROUNDING = 1.5f * MANTISSA_UNIT;

    /// Coefficients of `2^f` for f in [-0.5, 0.5]: ln 2 to the power of n, over n!.
    private static final float C1 = 0.693147181f;

    private static final float C2 = 0.240226507f;
    private static final float C3 = 0.0555041087f;
    private static final float C4 = 0.00961812911f;
    private static final float C5 = 0.00133335581f;
    private static final float C6 = 0.000154035304f;
    private static final float SQRT_2 = 1.41421356f;

    /// Of each value: the whole power of two, then the result's bits.
    private final int[] bits;
    /// What is left of the exponent, in [-0.5, 0.5], then 2 to the power of it, in [1, 2).
    private final float[] fractions;

    private float max;
    private float factor;

    /// @param lengthMax of a block
    Exponentials(int lengthMax) {
        bits = new int[lengthMax];
        fractions = new float[lengthMax];
    }

    /// From now on results are `e^((x - max) * scale)`.
    ///
    /// @param max at least the greatest x
    /// @param scale positive
    void scale(float max, float scale) {
        this.max = max;
        this.factor = LOG2_E * scale;
    }

    /// Whether the result of x, and of all that is less, is [#LEAST].
    boolean vanishes(float x) {
        return (x - max) * factor < Float.MIN_EXPONENT;
    }

    /// To 1 part in a million, but at least [#LEAST], which is the result of all that [#vanishes].
    ///
    /// @param values so many of them, none NaN
    /// @param results where they go, from an index on
    void of(float[] values, int length, float[] results, int from) {
        split(values, length);
        raise(length);
        join(length);
        MemorySegment.copy(MemorySegment.ofArray(bits), ValueLayout.JAVA_FLOAT, 0, results, from, length);
    }

    // Three short loops take two thirds of the time of a long one.

    private void split(float[] values, int length) {
        float greatest = max;
        float powersOfTwo = factor;
        for (int i = 0; i < length; i++) {
            float lowered = (values[i] - greatest) * powersOfTwo - 0.5f;
            float whole = lowered + ROUNDING - ROUNDING;
            fractions[i] = lowered - whole;
            bits[i] = Math.max((int) whole, LEAST_EXPONENT);
        }
    }

    private void raise(int length) {
        for (int i = 0; i < length; i++) {
            float f = fractions[i];
            fractions[i] = SQRT_2 * (1 + f * (C1 + f * (C2 + f * (C3 + f * (C4 + f * (C5 + f * C6))))));
        }
    }

    /// A float's bits, put together by hand: the compiler has no vector form of intBitsToFloat.
    private void join(int length) {
        for (int i = 0; i < length; i++) {
            int mantissa = Math.max((int) ((fractions[i] - 1) * MANTISSA_UNIT + 0.5f), 0);
            bits[i] = Math.max((bits[i] + Float.MAX_EXPONENT << MANTISSA_BITS) + mantissa, LEAST_BITS);
        }
    }
}
