package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.math.BigDecimal;
import java.util.ArrayList;

/// Decimal numbers without sign and exponent that lie between bounds.
final class UnsignedNumbers {
    private final RegexPool pool;
    private final int integerDigits;
    private final int fractionDigits;
    private final Regex zeros;
    private final Regex anyFraction;

    /// @param integerDigits the most before the point, at least one more than a bound has
    /// @param fractionDigits the most after the point, at least as many as a bound has; 0 for integers
    UnsignedNumbers(RegexPool pool, int integerDigits, int fractionDigits) {
        this.pool = pool;
        this.integerDigits = integerDigits;
        this.fractionDigits = fractionDigits;
        zeros = fraction(pool.literal("0"));
        anyFraction = fraction(pool.range('0', '9'));
    }

    RegexPool pool() {
        return pool;
    }

    int fractionDigits() {
        return fractionDigits;
    }

    /// The point with some digits, or nothing.
    private Regex fraction(Regex digit) {
        return fractionDigits == 0
                ? pool.empty()
                : pool.optional(pool.concat(pool.literal("."), pool.repeat(digit, 1, fractionDigits)));
    }

    /// Zeros after the point, or nothing.
    Regex zeros() {
        return zeros;
    }

    private Regex digits(int from, int to) {
        return from > to ? pool.nothing() : pool.range('0' + from, '0' + to);
    }

    private Regex digit(int value) {
        return digits(value, value);
    }

    private Regex anyDigits(int min, int max) {
        return pool.repeat(digits(0, 9), min, max);
    }

    Regex in(NumberRange range) {
        var parts = new ArrayList<Regex>();
        if (range.max() != null) {
            if (range.max().signum() < 0) {
                return pool.nothing();
            }
            parts.add(new AtMost(range.max(), range.maxIncluded()).all());
        }
        if (range.min() != null && (range.min().signum() > 0 || range.min().signum() == 0 && !range.minIncluded())) {
            parts.add(new AtLeast(range.min(), range.minIncluded()).all());
        }
        if (parts.isEmpty()) {
            parts.add(pool.concat(
                    pool.or(digit(0), pool.concat(digits(1, 9), anyDigits(0, integerDigits - 1))), anyFraction));
        }
        return pool.and(parts);
    }

    /// A bound, digit by digit.
    private abstract class Bound {
        final String before;
        final String after;
        final boolean included;

        Bound(BigDecimal bound, boolean included) {
            var plain = bound.signum() == 0 ? "0" : bound.stripTrailingZeros().toPlainString();
            int point = plain.indexOf('.');
            before = point < 0 ? plain : plain.substring(0, point);
            after = point < 0 ? "" : plain.substring(point + 1);
            this.included = included;
        }

        abstract Regex all();

        /// Digits that decide by themselves when they stand where the bound has this digit.
        ///
        /// @param first true for the first one before the point
        abstract Regex deciding(int digit, boolean first);

        /// What may follow when the number and the bound have the same digits before the point.
        abstract Regex fractionAfterSame();

        Regex ofSameLength() {
            var regex = fractionAfterSame();
            for (int i = before.length() - 1; i >= 0; i--) {
                int own = before.charAt(i) - '0';
                int left = before.length() - 1 - i;
                regex = pool.or(
                        pool.concat(deciding(own, i == 0), anyDigits(left, left), anyFraction),
                        pool.concat(digit(own), regex));
            }
            return regex;
        }

        /// After the point, where number and bound have been the same so far.
        Regex digitsAfter(int index, Regex end) {
            if (index == after.length()) {
                return end;
            }
            int own = after.charAt(index) - '0';
            return pool.or(
                    pool.concat(deciding(own, false), anyDigits(0, fractionDigits - index - 1)),
                    pool.concat(digit(own), afterSameDigit(index + 1, end)));
        }

        /// @param index of the next digit
        abstract Regex afterSameDigit(int index, Regex end);
    }

    private final class AtLeast extends Bound {
        AtLeast(BigDecimal bound, boolean included) {
            super(bound, included);
        }

        @Override
        Regex all() {
            var longer = pool.concat(digits(1, 9), anyDigits(before.length(), integerDigits - 1), anyFraction);
            return pool.or(longer, ofSameLength());
        }

        @Override
        Regex deciding(int digit, boolean first) {
            return digits(digit + 1, 9);
        }

        @Override
        Regex fractionAfterSame() {
            if (after.isEmpty()) {
                return included ? anyFraction : pool.and(anyFraction, pool.not(zeros));
            }
            int left = fractionDigits - after.length();
            var rest = anyDigits(0, left);
            var end = included ? rest : pool.and(rest, pool.not(pool.repeat(digit(0), 0, left)));
            return pool.concat(pool.literal("."), digitsAfter(0, end));
        }

        @Override
        Regex afterSameDigit(int index, Regex end) {
            return digitsAfter(index, end);
        }
    }

    private final class AtMost extends Bound {
        AtMost(BigDecimal bound, boolean included) {
            super(bound, included);
        }

        @Override
        Regex all() {
            int length = before.length();
            var shorter = length == 1
                    ? pool.nothing()
                    : pool.concat(pool.or(digit(0), pool.concat(digits(1, 9), anyDigits(0, length - 2))), anyFraction);
            return pool.or(shorter, ofSameLength());
        }

        @Override
        Regex deciding(int digit, boolean first) {
            return digits(first && before.length() > 1 ? 1 : 0, digit - 1);
        }

        @Override
        Regex fractionAfterSame() {
            if (after.isEmpty()) {
                return included ? zeros : pool.nothing();
            }
            int left = fractionDigits - after.length();
            var end = included ? pool.repeat(digit(0), 0, left) : pool.nothing();
            return pool.optional(pool.concat(pool.literal("."), digitsAfter(0, end)));
        }

        @Override
        Regex afterSameDigit(int index, Regex end) {
            var more = digitsAfter(index, end);
            return index == after.length() ? more : pool.optional(more);
        }
    }
}
