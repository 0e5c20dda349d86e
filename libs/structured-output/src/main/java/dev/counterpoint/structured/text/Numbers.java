package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How JSON spells numbers. Every spelling is bounded, so that no model writes digits for ever.
public final class Numbers {
    /// Before and after the point, unless a bound has more.
    private static final int DIGITS_MAX = 40;

    /// Decimal numbers with so many digits are still different ones when they have been read as binary ones.
    private static final int EXACT_DIGITS = 15;

    private static final int BOUND_DIGITS_MAX = 1_000;

    private Numbers() {}

    /// Integers in the range that are multiples of a number, as digits alone.
    ///
    /// @param multipleOf greater than 0, or null
    /// @throws TooComplexException when the multiples need too many states or a bound has too many digits
    public static Regex integer(RegexPool pool, NumberRange range, @Nullable BigDecimal multipleOf) {
        var integers = new NumberRange(
                range.min() == null ? null : toInteger(range.min(), range.minIncluded(), 1),
                true,
                range.max() == null ? null : toInteger(range.max(), range.maxIncluded(), -1),
                true);
        var shape = new UnsignedNumbers(pool, integerDigits(integers), 0);
        return signed(pool, integers, side -> {
            var some = shape.in(side);
            return multipleOf == null
                    ? some
                    : pool.and(some, multiples(shape, side).integers(multipleOf));
        });
    }

    private static BigDecimal toInteger(BigDecimal bound, boolean included, int inwards) {
        checkSize(bound);
        var integer = bound.setScale(0, inwards > 0 ? RoundingMode.CEILING : RoundingMode.FLOOR);
        return !included && integer.compareTo(bound) == 0 ? integer.add(BigDecimal.valueOf(inwards)) : integer;
    }

    /// Numbers in the range that are multiples of a number. Without a factor and any bound but 0 they may have an
    /// exponent.
    ///
    /// @param multipleOf greater than 0, or null
    /// @throws TooComplexException when the multiples need too many states or a bound has too many digits
    public static Regex number(RegexPool pool, NumberRange range, @Nullable BigDecimal multipleOf) {
        var shape = new UnsignedNumbers(pool, integerDigits(range), fractionDigits(range));
        boolean exponent = multipleOf == null && isZeroOrNone(range.min()) && isZeroOrNone(range.max());
        return signed(pool, range, side -> {
            var some = shape.in(side);
            if (exponent) {
                return pool.concat(some, pool.optional(exponent(pool)));
            }
            return multipleOf == null
                    ? some
                    : pool.and(some, multiples(shape, side).numbers(multipleOf));
        });
    }

    private static boolean isZeroOrNone(@Nullable BigDecimal bound) {
        return bound == null || bound.signum() == 0;
    }

    /// Up to 259: with all digits before the point it still is a number where numbers are binary.
    private static Regex exponent(RegexPool pool) {
        var digit = pool.range('0', '9');
        var digits = pool.or(
                pool.concat(pool.optional(pool.range('0', '1')), pool.repeat(digit, 1, 2)),
                pool.concat(pool.literal("2"), pool.range('0', '5'), digit));
        var sign = pool.optional(pool.or(pool.literal("+"), pool.literal("-")));
        return pool.concat(pool.or(pool.literal("e"), pool.literal("E")), sign, digits);
    }

    private interface Side {
        /// Numbers without their sign.
        Regex of(NumberRange range);
    }

    /// Zero may have a sign too.
    private static Regex signed(RegexPool pool, NumberRange range, Side side) {
        var negated = new NumberRange(
                range.max() == null ? null : range.max().negate(),
                range.maxIncluded(),
                range.min() == null ? null : range.min().negate(),
                range.minIncluded());
        return pool.or(side.of(range), pool.concat(pool.literal("-"), side.of(negated)));
    }

    private static int integerDigits(NumberRange range) {
        return Math.max(DIGITS_MAX, 1 + Math.max(digitsBeforePoint(range.min()), digitsBeforePoint(range.max())));
    }

    private static int digitsBeforePoint(@Nullable BigDecimal bound) {
        if (bound == null) {
            return 0;
        }
        checkSize(bound);
        return Math.max(1, bound.precision() - bound.scale());
    }

    private static void checkSize(BigDecimal bound) {
        if (bound.precision() > BOUND_DIGITS_MAX || Math.abs((long) bound.scale()) > BOUND_DIGITS_MAX) {
            throw new TooComplexException("A bound has more than " + BOUND_DIGITS_MAX + " digits.");
        }
    }

    private static int fractionDigits(NumberRange range) {
        int digits = Math.max(digitsAfterPoint(range.min()), digitsAfterPoint(range.max()));
        int most = DIGITS_MAX;
        if (range.min() != null && !range.minIncluded()) {
            most = Math.min(most, distinctDigits(range.min()));
        }
        if (range.max() != null && !range.maxIncluded()) {
            most = Math.min(most, distinctDigits(range.max()));
        }
        return Math.max(digits, most);
    }

    /// So many digits after the point that a number other than the bound never becomes the bound by rounding.
    private static int distinctDigits(BigDecimal bound) {
        return bound.signum() == 0 ? DIGITS_MAX : Math.max(1, EXACT_DIGITS - digitsBeforePoint(bound));
    }

    private static int digitsAfterPoint(@Nullable BigDecimal bound) {
        return bound == null ? 0 : Math.max(0, bound.stripTrailingZeros().scale());
    }

    private static Multiples multiples(UnsignedNumbers shape, NumberRange side) {
        int digits =
                side.max() == null || side.max().signum() <= 0 ? Multiples.DIGITS_MAX : digitsBeforePoint(side.max());
        int least = side.min() == null || side.min().signum() <= 0 ? 0 : 1 + digitsBeforePoint(side.min());
        return new Multiples(shape, Math.max(digits, least));
    }

    /// Integers with or without a fraction, which is zero.
    public static Regex withZeros(Regex integers) {
        var pool = integers.pool();
        var zeros = pool.concat(pool.literal("."), pool.repeat(pool.literal("0"), 1, DIGITS_MAX));
        return pool.concat(integers, pool.optional(zeros));
    }

    /// This number as it is given, without an exponent and, if it is an integer, as digits alone.
    public static Regex literal(RegexPool pool, BigDecimal number) {
        Set<String> spellings = new LinkedHashSet<>();
        spellings.add(number.toString());
        if (Math.abs((long) number.scale()) <= BOUND_DIGITS_MAX) {
            spellings.add(number.toPlainString());
            var stripped = number.stripTrailingZeros();
            if (stripped.scale() <= 0) {
                spellings.add(stripped.toPlainString());
            }
        }
        return pool.or(spellings.stream().map(pool::literal).toList());
    }
}
