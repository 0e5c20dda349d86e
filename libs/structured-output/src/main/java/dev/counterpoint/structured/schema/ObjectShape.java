package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Objects.
///
/// @param named what is said of properties by their name, in the order in which they are written
/// @param rules what is said of all properties of some names
/// @param witnesses each must have one of its clues
/// @param max number of properties, or [#UNBOUNDED]
record ObjectShape(Map<String, Named> named, List<Rule> rules, List<Witness> witnesses, int min, int max)
        implements ValueShape {
    static final int UNBOUNDED = Integer.MAX_VALUE;
    private static final int SIZE_PER_STEP = 8;
    static final ObjectShape ANY = new ObjectShape(Map.of(), List.of(), List.of(), 0, UNBOUNDED);

    /// @param goal of the value; [Goal#isNever] means that there is no such property
    record Named(Goal goal, boolean required) {
        Named and(Named other) {
            return new Named(goal.and(other.goal), required || other.required);
        }
    }

    record Rule(KeySet keys, Goal goal) {}

    /// Something that can be seen at one property.
    sealed interface Clue {
        /// @param never what no value meets
        record Absent(String name, Goal never) implements Clue {}

        /// A property of such a name has a value that meets the goal.
        record Present(KeySet keys, Goal goal) implements Clue {}
    }

    record Witness(List<Clue> clues) {}

    static ObjectShape of(Map<String, Named> named) {
        return new ObjectShape(named, List.of(), List.of(), 0, UNBOUNDED);
    }

    static ObjectShape of(Rule rule) {
        return new ObjectShape(Map.of(), List.of(rule), List.of(), 0, UNBOUNDED);
    }

    static ObjectShape of(List<Clue> clues) {
        return new ObjectShape(Map.of(), List.of(), List.of(new Witness(clues)), 0, UNBOUNDED);
    }

    static ObjectShape ofSize(int min, int max) {
        return new ObjectShape(Map.of(), List.of(), List.of(), min, max);
    }

    @Override
    public ValueShape and(ValueShape other) {
        var also = (ObjectShape) other;
        WorkLimit.spend(1 + (named.size() + also.named.size() + rules.size() + witnesses.size()) / SIZE_PER_STEP);
        var all = new LinkedHashMap<>(named);
        also.named.forEach((name, one) -> all.merge(name, one, Named::and));
        return new ObjectShape(
                all,
                joined(rules, also.rules),
                joined(witnesses, also.witnesses),
                Math.max(min, also.min),
                Math.min(max, also.max));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        if (first.isEmpty() || second.isEmpty()) {
            return first.isEmpty() ? second : first;
        }
        var all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    @Override
    public boolean isPlainlyEmpty() {
        long required = 0;
        for (var one : named.values()) {
            required += one.required ? 1 : 0;
            if (one.required && one.goal.isNever()) {
                return true;
            }
        }
        return Math.max(min, required) > max || witnesses.stream().anyMatch(witness -> witness.clues.isEmpty());
    }
}
