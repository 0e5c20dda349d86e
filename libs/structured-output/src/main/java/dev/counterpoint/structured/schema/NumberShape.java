package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.text.NumberRange;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Numbers.
///
/// @param kinds true is the integers, false all others
/// @param factors it is a multiple of each
/// @param nonFactors it is a multiple of none
/// @param values the only ones, or null when they are not listed
/// @param excluded it is none of these
record NumberShape(
        NumberRange range,
        Set<Boolean> kinds,
        Set<BigDecimal> factors,
        Set<BigDecimal> nonFactors,
        @Nullable NavigableSet<BigDecimal> values,
        NavigableSet<BigDecimal> excluded)
        implements ValueShape {
    private static final int SHIFT_MAX = 10_000;

    private static final Set<Boolean> BOTH = Set.of(true, false);
    static final NumberShape ANY =
            new NumberShape(NumberRange.UNBOUNDED, BOTH, Set.of(), Set.of(), null, new TreeSet<>());

    static NumberShape of(NumberRange range) {
        return new NumberShape(range, BOTH, Set.of(), Set.of(), null, ANY.excluded);
    }

    static NumberShape ofIntegers(boolean integers) {
        return new NumberShape(NumberRange.UNBOUNDED, Set.of(integers), Set.of(), Set.of(), null, ANY.excluded);
    }

    static NumberShape multiplesOf(BigDecimal factor, boolean holds) {
        var one = Set.of(factor);
        return new NumberShape(
                NumberRange.UNBOUNDED, BOTH, holds ? one : Set.of(), holds ? Set.of() : one, null, ANY.excluded);
    }

    static NumberShape of(NavigableSet<BigDecimal> values, boolean holds) {
        return new NumberShape(
                NumberRange.UNBOUNDED, BOTH, Set.of(), Set.of(), holds ? values : null, holds ? ANY.excluded : values);
    }

    @Override
    public ValueShape and(ValueShape other) {
        var also = (NumberShape) other;
        var bothKinds = new HashSet<>(kinds);
        bothKinds.retainAll(also.kinds);
        var allExcluded = new TreeSet<>(excluded);
        allExcluded.addAll(also.excluded);
        return new NumberShape(
                range.and(also.range),
                bothKinds,
                union(factors, also.factors),
                union(nonFactors, also.nonFactors),
                common(values, also.values),
                allExcluded);
    }

    private static Set<BigDecimal> union(Set<BigDecimal> first, Set<BigDecimal> second) {
        var all = new HashSet<>(first);
        all.addAll(second);
        return all;
    }

    private static @Nullable NavigableSet<BigDecimal> common(
            @Nullable NavigableSet<BigDecimal> first, @Nullable NavigableSet<BigDecimal> second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        var both = new TreeSet<>(first);
        both.retainAll(second);
        return both;
    }

    /// The listed values that meet all demands; none where no values are listed.
    List<BigDecimal> listed() {
        return values == null
                ? List.of()
                : values.stream().filter(this::contains).toList();
    }

    private boolean contains(BigDecimal value) {
        return range.contains(value)
                && kinds.contains(isMultiple(value, BigDecimal.ONE))
                && factors.stream().allMatch(factor -> isMultiple(value, factor))
                && nonFactors.stream().noneMatch(factor -> isMultiple(value, factor))
                && !excluded.contains(value);
    }

    /// Without the long division that an exponent of a million would take.
    private static boolean isMultiple(BigDecimal value, BigDecimal factor) {
        if (value.signum() == 0) {
            return true;
        }
        var exact = value.stripTrailingZeros();
        var divisor = factor.stripTrailingZeros();
        if (exact.scale() > divisor.scale()) {
            return false;
        }
        if (divisor.scale() - (long) exact.scale() > SHIFT_MAX) {
            throw new TooComplexException("A number has too large an exponent.");
        }
        return exact.remainder(divisor).signum() == 0;
    }

    boolean integersOnly() {
        return !kinds.contains(false);
    }

    boolean fractionsOnly() {
        return !kinds.contains(true);
    }

    @Override
    public boolean isPlainlyEmpty() {
        var min = range.min();
        var max = range.max();
        if (kinds.isEmpty() || values != null && listed().isEmpty()) {
            return true;
        }
        int order = min == null || max == null ? -1 : min.compareTo(max);
        return order > 0 || order == 0 && !(range.minIncluded() && range.maxIncluded());
    }
}
