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

    private static final float LEAST_EXPONENT = Float.MIN_EXPONENT;
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

    private final int[] bits;
    private float max;
    private float factor;

    /// @param lengthMax of a block
    Exponentials(int lengthMax) {
        bits = new int[lengthMax];
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
        return (x - max) * factor <= LEAST_EXPONENT;
    }

    /// To 1 part in a million, but at least [#LEAST].
    ///
    /// @param values so many of them, none NaN
    /// @param results where they go, from an index on
    void of(float[] values, int length, float[] results, int from) {
        float greatest = max;
        float powersOfTwo = factor;
        for (int i = 0; i < length; i++) {
            float exponent = Math.max((values[i] - greatest) * powersOfTwo, LEAST_EXPONENT);
            float lowered = exponent - 0.5f;
            float whole = lowered + ROUNDING - ROUNDING;
            float f = lowered - whole;
            float power = SQRT_2 * (1 + f * (C1 + f * (C2 + f * (C3 + f * (C4 + f * (C5 + f * C6))))));
            // A float's bits, put together by hand: the compiler has no vector form of intBitsToFloat.
            bits[i] = ((int) whole + Float.MAX_EXPONENT << MANTISSA_BITS) + (int) ((power - 1) * MANTISSA_UNIT + 0.5f);
        }
        MemorySegment.copy(MemorySegment.ofArray(bits), ValueLayout.JAVA_FLOAT, 0, results, from, length);
    }
}
