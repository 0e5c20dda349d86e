package dev.counterpoint.structured.schema;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lists.
///
/// @param prefix goals of the first items
/// @param rest goal of all others
/// @param max number of items, or [#UNBOUNDED]
/// @param distinct the schema that wants all items to differ, or null
/// @param counts how many items meet other goals
record ArrayShape(
        List<Goal> prefix,
        Goal rest,
        int min,
        int max,
        @Nullable Place distinct,
        List<Count> counts) implements ValueShape {
    static final int UNBOUNDED = Integer.MAX_VALUE;

    /// From `min` to `max` items from index `from` on meet a goal.
    ///
    /// @param opposite what the items meet that do not meet the goal
    record Count(int from, Goal goal, Goal opposite, int min, int max) {}

    ArrayShape {
        for (int i = 0; i < prefix.size(); i++) {
            max = prefix.get(i).isNever() ? Math.min(max, i) : max;
        }
        max = rest.isNever() ? Math.min(max, prefix.size()) : max;
    }

    static ArrayShape any(Goals goals) {
        return new ArrayShape(List.of(), goals.any(), 0, UNBOUNDED, null, List.of());
    }

    ArrayShape withItems(List<Goal> first, Goal others) {
        return new ArrayShape(first, others, min, max, distinct, counts);
    }

    ArrayShape withSize(int least, int most) {
        return new ArrayShape(prefix, rest, least, most, distinct, counts);
    }

    ArrayShape withDistinct(Place schema) {
        return new ArrayShape(prefix, rest, min, max, schema, counts);
    }

    ArrayShape withCount(Count count) {
        return new ArrayShape(prefix, rest, min, max, distinct, List.of(count));
    }

    Goal goal(int index) {
        return index < prefix.size() ? prefix.get(index) : rest;
    }

    @Override
    public ValueShape and(ValueShape other) {
        var also = (ArrayShape) other;
        var first = new ArrayList<Goal>();
        for (int i = 0; i < Math.max(prefix.size(), also.prefix.size()); i++) {
            first.add(goal(i).and(also.goal(i)));
        }
        var allCounts = new ArrayList<>(counts);
        allCounts.addAll(also.counts);
        return new ArrayShape(
                first,
                rest.and(also.rest),
                Math.max(min, also.min),
                Math.min(max, also.max),
                distinct == null ? also.distinct : distinct,
                allCounts);
    }

    @Override
    public boolean isPlainlyEmpty() {
        return min > max || counts.stream().anyMatch(count -> count.min > count.max);
    }
}
