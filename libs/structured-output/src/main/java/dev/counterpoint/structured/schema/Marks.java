package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.text.TextPattern;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The properties and items of a value that a schema evaluates, and that `unevaluatedProperties` and
/// `unevaluatedItems`
/// beside it therefore leave alone.
///
/// @param names of properties
/// @param keys patterns of names
/// @param items how many from the start; [Integer#MAX_VALUE] is all
/// @param containing items that meet one of these
record Marks(Set<String> names, List<TextPattern> keys, boolean allProperties, int items, List<Goal> containing) {
    static final Marks NONE = new Marks(Set.of(), List.of(), false, 0, List.of());
    static final Marks ALL = new Marks(Set.of(), List.of(), true, Integer.MAX_VALUE, List.of());

    static Marks ofNames(Set<String> names) {
        return new Marks(names, List.of(), false, 0, List.of());
    }

    static Marks ofKeys(List<TextPattern> keys) {
        return new Marks(Set.of(), keys, false, 0, List.of());
    }

    static Marks ofItems(int items) {
        return new Marks(Set.of(), List.of(), false, items, List.of());
    }

    static Marks ofItemsMeeting(Goal goal) {
        return new Marks(Set.of(), List.of(), false, 0, List.of(goal));
    }

    Marks and(Marks other) {
        if (this == other || other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        var allNames = new LinkedHashSet<>(names);
        allNames.addAll(other.names);
        return new Marks(
                allNames,
                joined(keys, other.keys),
                allProperties || other.allProperties,
                Math.max(items, other.items),
                joined(containing, other.containing));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        var all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
