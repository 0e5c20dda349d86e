package dev.counterpoint.worker.engine.sampling;

/// `e^x` for a whole vocabulary at once: loops that the compiler turns into vector instructions, which it does with
/// nothing that calls [Math#exp].
final class Exponentials {
    private static final float LOG2_E = 1.442695f;
    /// Below, results are too small to be normal numbers, and become 0: by a subtraction that changes no other result.
    private static final float EXPONENT_MIN = -126;

    private static final float SMALLEST = Float.MIN_NORMAL;

    private static final int EXPONENT_BIAS = 127;
    private static final int MANTISSA_BITS = 23;
    /// Adding and taking away rounds a float of this size to a whole number.
    private static final float ROUNDING = 1.5f * (1 << MANTISSA_BITS);

    /// Coefficients of `2^f` for f in [-0.5, 0.5]: ln 2 to the power of n, over n!.
    private static final float C1 = 0.693147181f;

    private static final float C2 = 0.240226507f;
    private static final float C3 = 0.0555041087f;
    private static final float C4 = 0.00961812911f;
    private static final float C5 = 0.00133335581f;
    private static final float C6 = 0.000154035304f;

    private Exponentials() {}

    /// Writes `e^((values[i] - max) * scale)`, to 1 part in a million down to e^-69, exactly 1 for the maximum.
    ///
    /// @param values none is NaN
    /// @param max at least the greatest value
    /// @param scale positive
    static void of(float[] values, float max, float scale, float[] results) {
        float factor = LOG2_E * scale;
        for (int i = 0; i < results.length; i++) {
            float exponent = Math.max((values[i] - max) * factor, EXPONENT_MIN);
            float rounded = exponent + ROUNDING - ROUNDING;
            float f = exponent - rounded;
            float fraction = 1 + f * (C1 + f * (C2 + f * (C3 + f * (C4 + f * (C5 + f * C6)))));
            float power = Float.intBitsToFloat((int) rounded + EXPONENT_BIAS << MANTISSA_BITS);
            results[i] = fraction * power - SMALLEST;
        }
    }
}
