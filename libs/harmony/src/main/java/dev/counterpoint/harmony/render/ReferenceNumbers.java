package dev.counterpoint.harmony.render;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/// Numbers of a JSON schema as the references print them.
///
/// They read integers of 64 bits exactly and everything else as a double, by a quick way that misses the nearest one
/// now and then (serde_json without `float_roundtrip`); the shortest digits of that double are printed. What is too
/// large for a double they refuse; here it is null.
final class ReferenceNumbers {
    private static final BigInteger MIN_INTEGER = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX_INTEGER = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    /// Doubles in this range are written without an exponent where JSON comes from (Python's `json`).
    private static final BigDecimal PLAIN_FROM = new BigDecimal("1e-4");

    private static final BigDecimal PLAIN_TO = new BigDecimal("1e16");
    private static final int MAX_POWER = 308;
    /// The exponents of ten between which the references print a double without an exponent.
    private static final int MIN_PLAIN_POINT = -5;

    private static final int MAX_PLAIN_POINT = 16;

    private ReferenceNumbers() {}

    static String text(JsonNode number, ReferenceCodec reference) {
        if (number.isIntegralNumber()) {
            var value = number.bigIntegerValue();
            boolean exact = value.compareTo(MIN_INTEGER) >= 0 && value.compareTo(MAX_INTEGER) <= 0;
            return exact ? value.toString() : text(read(new BigDecimal(value)), reference);
        }
        if (number.isBigDecimal()) {
            return text(read(number.decimalValue()), reference);
        }
        double value = number.doubleValue();
        if (!Double.isFinite(value)) {
            return "null";
        }
        return text(Math.copySign(read(asWritten(Math.abs(value))), value), reference);
    }

    /// The digits and the exponent with which JSON usually spells a double that is not negative.
    private static BigDecimal asWritten(double value) {
        var digits = shortest(value);
        boolean plain = digits.compareTo(PLAIN_FROM) >= 0 && digits.compareTo(PLAIN_TO) < 0;
        return plain && digits.scale() <= 0 ? digits.setScale(1) : digits;
    }

    /// As serde_json reads: as many digits as 64 bits hold, scaled by powers of ten with rounding each time.
    private static double read(BigDecimal written) {
        var digits = written.unscaledValue().abs();
        int exponent = -written.scale();
        while (digits.compareTo(MAX_INTEGER) > 0) {
            digits = digits.divide(BigInteger.TEN);
            exponent++;
        }
        double value = digits.doubleValue();
        while (exponent < -MAX_POWER && value != 0) {
            value /= 1e308;
            exponent += MAX_POWER;
        }
        if (value != 0) {
            value = exponent < 0
                    ? value / power(-exponent)
                    : exponent > MAX_POWER ? Double.POSITIVE_INFINITY : value * power(exponent);
        }
        return written.signum() < 0 ? -value : value;
    }

    private static double power(int exponent) {
        return Double.parseDouble("1e" + exponent);
    }

    /// The fewest digits that mean this double, without zeros at their end.
    private static BigDecimal shortest(double value) {
        var digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        // Java always looks for two digits and misses those doubles for which one is enough (5e-324).
        var one = digits.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return one.doubleValue() == value ? one.stripTrailingZeros() : digits;
    }

    private static String text(double value, ReferenceCodec reference) {
        if (Double.isInfinite(value)) {
            return "null";
        }
        var sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
        if (value == 0) {
            return sign + "0.0";
        }
        var shortest = shortest(Math.abs(value));
        var digits = shortest.unscaledValue().toString();
        int point = digits.length() - shortest.scale();
        if (point > MIN_PLAIN_POINT && point <= MAX_PLAIN_POINT) {
            var plain = shortest.toPlainString();
            return sign + (shortest.scale() > 0 ? plain : plain + ".0");
        }
        var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
        int exponent = point - 1;
        var plus = exponent > 0 && reference == ReferenceCodec.OSS_0_0_11 ? "+" : "";
        return sign + digits.charAt(0) + fraction + "e" + plus + exponent;
    }
}
