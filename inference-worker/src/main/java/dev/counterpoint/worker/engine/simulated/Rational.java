package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// An exact fraction in lowest terms; the denominator is positive.
record Rational(BigInteger numerator, BigInteger denominator) {
    private static final int APPROXIMATE_DIGITS = 6;
    private static final int BITS_MAX = 4096;
    private static final int EXPONENT_MAX = 1000;

    Rational {
        if (denominator.signum() == 0) {
            throw new ArithmeticException("division by zero");
        }
        var divisor = numerator.gcd(denominator);
        if (denominator.signum() < 0) {
            divisor = divisor.negate();
        }
        numerator = numerator.divide(divisor);
        denominator = denominator.divide(divisor);
    }

    static Rational of(long whole) {
        return new Rational(BigInteger.valueOf(whole), BigInteger.ONE);
    }

    static Rational of(BigDecimal value) {
        return value.scale() <= 0
                ? new Rational(value.toBigIntegerExact(), BigInteger.ONE)
                : new Rational(value.unscaledValue(), BigInteger.TEN.pow(value.scale()));
    }

    Rational plus(Rational other) {
        return new Rational(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    Rational minus(Rational other) {
        return plus(other.negate());
    }

    Rational times(Rational other) {
        return new Rational(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    /// @throws ArithmeticException for division by zero
    Rational by(Rational other) {
        return new Rational(numerator.multiply(other.denominator), denominator.multiply(other.numerator));
    }

    Rational negate() {
        return new Rational(numerator.negate(), denominator);
    }

    /// @throws ArithmeticException for a fraction or zero on the right
    Rational modulo(Rational other) {
        if (!isWhole() || !other.isWhole()) {
            throw new ArithmeticException("remainders are for whole numbers");
        }
        return new Rational(numerator.mod(other.numerator.abs()), BigInteger.ONE);
    }

    /// @throws ArithmeticException when the exponent is not a whole number, or the result is too large
    Rational power(Rational exponent) {
        boolean small = exponent.isWhole() && exponent.numerator.bitLength() < 16;
        int times = small ? exponent.numerator.intValue() : EXPONENT_MAX + 1;
        int bits = Math.max(numerator.bitLength(), denominator.bitLength());
        if (Math.abs(times) > EXPONENT_MAX || (long) bits * Math.abs(times) > BITS_MAX) {
            throw new ArithmeticException("the power is too large");
        }
        var raised = new Rational(numerator.pow(Math.abs(times)), denominator.pow(Math.abs(times)));
        return times < 0 ? of(1).by(raised) : raised;
    }

    int compare(Rational other) {
        return minus(other).numerator.signum();
    }

    boolean isWhole() {
        return denominator.equals(BigInteger.ONE);
    }

    boolean isTerminating() {
        var rest = denominator;
        for (var prime : new BigInteger[] {BigInteger.TWO, BigInteger.valueOf(5)}) {
            while (rest.mod(prime).signum() == 0) {
                rest = rest.divide(prime);
            }
        }
        return rest.equals(BigInteger.ONE);
    }

    /// `42`, `0.5` or `1/3`: always exact.
    String text() {
        if (isWhole()) {
            return numerator.toString();
        }
        return isTerminating()
                ? new BigDecimal(numerator).divide(new BigDecimal(denominator)).toPlainString()
                : numerator + "/" + denominator;
    }

    /// Rounded to six digits behind the point.
    String approximately() {
        return new BigDecimal(numerator)
                .divide(new BigDecimal(denominator), APPROXIMATE_DIGITS, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
