package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.ByteSet;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Decimal numbers without sign and exponent that are multiples of one. Of the digits so far only their remainder
/// matters: one expression for each remainder and each number of digits that may still come.
final class Multiples {
    /// Before the point.
    static final int DIGITS_MAX = 20;

    private static final int STATES_MAX = 45_000;
    private static final int SCALE_MAX = 40;

    private final UnsignedNumbers shape;
    private final RegexPool pool;
    private final int integerDigits;

    /// @param integerDigits the most before the point
    Multiples(UnsignedNumbers shape, int integerDigits) {
        this.shape = shape;
        this.pool = shape.pool();
        this.integerDigits = integerDigits;
    }

    Regex integers(BigDecimal factor) {
        var stripped = checked(factor);
        var power = BigInteger.TEN.pow(Math.max(0, stripped.scale()));
        var whole = stripped.scale() < 0 ? stripped.toBigIntegerExact() : stripped.unscaledValue();
        return ofInteger(whole.divide(whole.gcd(power)), pool.empty());
    }

    Regex numbers(BigDecimal factor) {
        var stripped = checked(factor);
        return stripped.scale() <= 0
                ? ofInteger(stripped.toBigIntegerExact(), shape.zeros())
                : ofDecimal(stripped.unscaledValue(), stripped.scale());
    }

    private static BigDecimal checked(BigDecimal factor) {
        var stripped = factor.stripTrailingZeros();
        if (Math.abs((long) stripped.scale()) > SCALE_MAX) {
            throw tooComplex();
        }
        return stripped;
    }

    private static TooComplexException tooComplex() {
        return new TooComplexException("The number of multipleOf is too large or too long.");
    }

    /// @param then follows the last digit
    private Regex ofInteger(BigInteger factor, Regex then) {
        var rest = factor;
        int zeros = 0;
        while (rest.mod(BigInteger.TEN).signum() == 0) {
            rest = rest.divide(BigInteger.TEN);
            zeros++;
        }
        int modulus = checked(rest, integerDigits);
        List<Regex> ends = new ArrayList<>(Collections.nCopies(modulus, pool.nothing()));
        ends.set(0, pool.concat(pool.literal("0".repeat(zeros)), then));
        return pool.or(pool.concat(pool.literal("0"), then), positive(ends));
    }

    /// @param scale the number of the factor's digits after the point, at least 1
    private Regex ofDecimal(BigInteger factor, int scale) {
        int modulus = checked(factor, integerDigits + scale);
        var ends = pointed(modulus, scale);
        return pool.or(positive(ends), pool.concat(pool.literal("0"), ends.getFirst()));
    }

    private static int checked(BigInteger factor, int digits) {
        if (factor.bitLength() > 20 || (long) factor.intValue() * digits > STATES_MAX) {
            throw tooComplex();
        }
        return factor.intValue();
    }

    /// Numbers that start with a digit other than 0.
    ///
    /// @param ends what may follow the last digit before the point, by remainder
    private Regex positive(List<Regex> ends) {
        var rest = ends;
        for (int left = 1; left < integerDigits; left++) {
            var before = rest;
            rest = byRemainder(ends.size(), remainder -> pool.or(ends.get(remainder), step(before, remainder, 0)));
        }
        return step(rest, 0, 1);
    }

    /// What may follow the digits before the point, by remainder.
    private List<Regex> pointed(int modulus, int scale) {
        var zeros = pool.repeat(pool.literal("0"), 0, Math.max(0, shape.fractionDigits() - scale));
        List<Regex> rest = new ArrayList<>(Collections.nCopies(modulus, pool.nothing()));
        rest.set(0, zeros);
        long power = 1 % modulus;
        for (int missing = 1; missing < scale; missing++) {
            power = power * 10 % modulus;
            long factor = power;
            var after = rest;
            rest = byRemainder(
                    modulus, remainder -> orEnd(factor * remainder % modulus == 0, step(after, remainder, 0)));
        }
        long factor = power * 10 % modulus;
        var after = rest;
        return byRemainder(
                modulus,
                remainder -> orEnd(
                        factor * remainder % modulus == 0, pool.concat(pool.literal("."), step(after, remainder, 0))));
    }

    private Regex orEnd(boolean mayEnd, Regex more) {
        return mayEnd ? pool.or(pool.empty(), more) : more;
    }

    private static List<Regex> byRemainder(int modulus, IntFunction<Regex> text) {
        return IntStream.range(0, modulus).mapToObj(text).toList();
    }

    /// A digit from `from` and what follows it, by remainder.
    private Regex step(List<Regex> rest, int remainder, int from) {
        Map<Regex, ByteSet> digits = new LinkedHashMap<>();
        for (int digit = from; digit <= 9; digit++) {
            digits.merge(rest.get((10 * remainder + digit) % rest.size()), ByteSet.of('0' + digit), ByteSet::or);
        }
        return pool.or(digits.entrySet().stream()
                .map(one -> pool.concat(pool.bytes(one.getValue()), one.getKey()))
                .toList());
    }
}
