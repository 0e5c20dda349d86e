package dev.counterpoint.structured.text;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Between which numbers a number lies.
///
/// @param min or null when there is none
/// @param minIncluded false if the number must be greater than `min`
/// @param max or null when there is none
/// @param maxIncluded false if the number must be less than `max`
public record NumberRange(
        @Nullable BigDecimal min,
        boolean minIncluded,
        @Nullable BigDecimal max,
        boolean maxIncluded) {
    /// All numbers.
    public static final NumberRange UNBOUNDED = new NumberRange(null, true, null, true);

    public NumberRange atLeast(BigDecimal bound) {
        return withMin(bound, true);
    }

    public NumberRange greaterThan(BigDecimal bound) {
        return withMin(bound, false);
    }

    public NumberRange atMost(BigDecimal bound) {
        return withMax(bound, true);
    }

    public NumberRange lessThan(BigDecimal bound) {
        return withMax(bound, false);
    }

    /// The numbers in both ranges.
    public NumberRange and(NumberRange other) {
        var result = this;
        if (other.min != null) {
            result = result.withMin(other.min, other.minIncluded);
        }
        if (other.max != null) {
            result = result.withMax(other.max, other.maxIncluded);
        }
        return result;
    }

    public boolean contains(BigDecimal number) {
        return (min == null || number.compareTo(min) >= (minIncluded ? 0 : 1))
                && (max == null || number.compareTo(max) <= (maxIncluded ? 0 : -1));
    }

    /// True if it has no bound.
    public boolean isUnbounded() {
        return min == null && max == null;
    }

    private NumberRange withMin(BigDecimal bound, boolean included) {
        int order = min == null ? 1 : bound.compareTo(min);
        return order > 0
                ? new NumberRange(bound, included, max, maxIncluded)
                : order == 0 ? new NumberRange(min, minIncluded && included, max, maxIncluded) : this;
    }

    private NumberRange withMax(BigDecimal bound, boolean included) {
        int order = max == null ? -1 : bound.compareTo(max);
        return order < 0
                ? new NumberRange(min, minIncluded, bound, included)
                : order == 0 ? new NumberRange(min, minIncluded, max, maxIncluded && included) : this;
    }
}
