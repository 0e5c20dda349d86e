package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.text.JsonText;
import dev.counterpoint.structured.text.NumberRange;
import dev.counterpoint.structured.text.Numbers;
import dev.counterpoint.structured.text.Spelling;
import dev.counterpoint.structured.text.TextPattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes values without parts.
final class ScalarTerminals {
    /// Far beyond what digits are written for: a bound that keeps exponents out.
    private static final BigDecimal HUGE = BigDecimal.TEN.pow(60);
    /// The most digits of a factor.
    private static final int DIGITS_MAX = 30;

    private static final int DELETE = 0x7f;
    private static final int SEARCH_STEPS_MAX = 40_000;
    private static final int SEARCH_COST = 5;

    private final RegexPool pool;
    private final ValueForm form;
    private final Map<TextPattern, Regex> plain = new IdentityHashMap<>();
    private final Map<TextPattern, Regex> quoted = new IdentityHashMap<>();
    private @Nullable Regex anyString;

    ScalarTerminals(RegexPool pool, ValueForm form) {
        this.pool = pool;
        this.form = form;
    }

    Regex regex(BooleanShape shape) {
        return pool.or(
                shape.mayBeTrue() ? pool.literal("true") : pool.nothing(),
                shape.mayBeFalse() ? pool.literal("false") : pool.nothing());
    }

    Regex regex(StringShape shape) {
        if (shape.lengthMin() > shape.lengthMax()) {
            return pool.nothing();
        }
        if (shape.values() != null) {
            return pool.or(shape.listed(this::plain).stream().map(this::quoted).toList());
        }
        if (shape.pattern() != TextPattern.anything()) {
            return JsonText.string(pool, shape.whole());
        }
        return shape.lengthMin() == 0 && shape.lengthMax() == Regex.UNBOUNDED
                ? anyString()
                : JsonText.stringOfLength(pool, shape.lengthMin(), shape.lengthMax());
    }

    private Regex anyString() {
        if (anyString == null) {
            anyString = JsonText.anyString(pool);
        }
        return anyString;
    }

    /// In quotes, in the spelling that no other text shares.
    Regex quoted(String text) {
        return quoted(text, pool.empty());
    }

    /// The same with something behind it.
    Regex quoted(String text, Regex then) {
        if (!text.chars().allMatch(one -> one >= ' ' && one < DELETE && one != '"' && one != '\\')) {
            return pool.concat(JsonText.string(pool, TextPattern.literal(text)), then);
        }
        var parts = new ArrayList<Regex>();
        ('"' + text + '"').chars().forEach(one -> parts.add(pool.range(one, one)));
        parts.add(then);
        return pool.concat(parts);
    }

    /// True if nothing matches. That may be long to find out.
    boolean isEmpty(Regex regex) {
        var limit = WorkLimit.of(SEARCH_STEPS_MAX);
        try (limit) {
            return regex.isEmpty();
        } finally {
            WorkLimit.spend(SEARCH_COST * limit.spent());
        }
    }

    /// The texts of a pattern, neither quoted nor escaped.
    Regex plain(TextPattern pattern) {
        return plain.computeIfAbsent(pattern, one -> one.toRegex(pool, Spelling.PLAIN));
    }

    /// The texts of a pattern in quotes, except some.
    Regex quotedExcept(TextPattern pattern, Collection<String> except) {
        var all = quoted.computeIfAbsent(pattern, one -> JsonText.string(pool, one));
        return except.isEmpty()
                ? all
                : pool.and(
                        all, pool.not(pool.or(except.stream().map(this::quoted).toList())));
    }

    Regex regex(NumberShape shape) {
        if (shape.isPlainlyEmpty()) {
            return pool.nothing();
        }
        if (shape.values() != null) {
            return pool.or(
                    shape.listed().stream().map(value -> listed(value, shape)).toList());
        }
        var factor = commonMultiple(shape.factors());
        var unwanted = unwanted(shape);
        var range = unwanted.isEmpty() ? shape.range() : bounded(shape.range());
        var all = shape.integersOnly()
                ? integer(Numbers.integer(pool, range, factor))
                : Numbers.number(pool, range, factor);
        unwanted.replaceAll(pool::not);
        unwanted.add(all);
        return pool.and(unwanted);
    }

    private Regex listed(BigDecimal value, NumberShape shape) {
        var exact = value.stripTrailingZeros();
        var literal = Numbers.literal(pool, shape.integersOnly() ? value.setScale(0) : value);
        return exact.scale() > 0 || exact.scale() < -DIGITS_MAX
                ? literal
                : pool.or(literal, integer(Numbers.literal(pool, value.setScale(0))));
    }

    private Regex integer(Regex digits) {
        return form == ValueForm.ANY ? Numbers.withZeros(digits) : digits;
    }

    private ArrayList<Regex> unwanted(NumberShape shape) {
        var all = bounded(NumberRange.UNBOUNDED);
        var unwanted = new ArrayList<Regex>();
        if (shape.fractionsOnly()) {
            unwanted.add(Numbers.number(pool, all, BigDecimal.ONE));
        }
        shape.nonFactors().forEach(factor -> unwanted.add(Numbers.number(pool, all, factor)));
        for (var value : shape.excluded()) {
            unwanted.add(
                    Numbers.number(pool, NumberRange.UNBOUNDED.atLeast(value).atMost(value), null));
        }
        return unwanted;
    }

    private static NumberRange bounded(NumberRange range) {
        return range.isUnbounded() ? range.atLeast(HUGE.negate()).atMost(HUGE) : range;
    }

    private static @Nullable BigDecimal commonMultiple(Set<BigDecimal> factors) {
        return factors.stream().reduce(ScalarTerminals::commonMultiple).orElse(null);
    }

    private static BigDecimal commonMultiple(BigDecimal first, BigDecimal second) {
        int scale = Math.max(first.scale(), second.scale());
        if (Math.max(digits(first), digits(second)) > DIGITS_MAX) {
            throw new TooComplexException("A 'multipleOf' has too many digits.");
        }
        BigInteger one = first.setScale(scale).unscaledValue();
        BigInteger other = second.setScale(scale).unscaledValue();
        return new BigDecimal(one.divide(one.gcd(other)).multiply(other), scale);
    }

    private static long digits(BigDecimal number) {
        return number.precision() + Math.abs((long) number.scale());
    }
}
