package dev.counterpoint.structured.text;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// How JSON spells numbers.
public final class Numbers {
    private Numbers() {}

    /// Integers in the range that are multiples of a number, as digits alone.
    ///
    /// @param multipleOf greater than 0, or null
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the multiples need too many states
    public static Regex integer(RegexPool pool, NumberRange range, @Nullable BigDecimal multipleOf) {
        var digits = pool.concat(pool.range('1', '9'), pool.repeat(pool.range('0', '9'), 0, 39));
        return pool.concat(pool.optional(pool.literal("-")), pool.or(pool.literal("0"), digits));
    }

    /// Numbers in the range that are multiples of a number. One that has neither bounds nor a factor may have an exponent.
    ///
    /// @param multipleOf greater than 0, or null
    /// @throws dev.counterpoint.structured.regex.TooComplexException when the multiples need too many states
    public static Regex number(RegexPool pool, NumberRange range, @Nullable BigDecimal multipleOf) {
        var fraction = pool.concat(pool.literal("."), pool.repeat(pool.range('0', '9'), 1, 40));
        return pool.concat(integer(pool, range, multipleOf), pool.optional(fraction));
    }

    /// This number as it is given and, if it is an integer, as digits alone.
    public static Regex literal(RegexPool pool, BigDecimal number) {
        return pool.literal(number.toString());
    }
}
