package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.TooComplexException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes lists whose items all differ, where only few values are possible: the rules remember which ones were written.
final class DistinctItems {
    private static final int STATES_MAX = 5_000;

    private final ValueGrammar values;
    private final ArrayShape shape;
    /// All possible items, by the value; numbers by their plain digits.
    private final Map<Object, Regex> constants = new LinkedHashMap<>();
    private final Map<State, Rule> rules = new HashMap<>();
    private final ArrayDeque<State> toDo = new ArrayDeque<>();

    /// @param written the numbers of the constants, as bits
    private record State(int index, long written) {}

    DistinctItems(ValueGrammar values, ArrayShape shape) {
        this.values = values;
        this.shape = shape;
    }

    /// @return false, and nothing is written, where more than a few values are possible
    boolean write(Rule array) {
        if (!shape.counts().isEmpty()) {
            return false;
        }
        var goals = new ArrayList<List<Object>>();
        for (int i = 0; i <= shape.prefix().size(); i++) {
            var possible = constants(shape.goal(i));
            if (possible == null) {
                return false;
            }
            goals.add(possible);
        }
        if (constants.size() >= Long.SIZE || states(constants.size()) > STATES_MAX) {
            return false;
        }
        var start = new State(0, 0);
        if (shape.min() == 0) {
            values.builder.add(array, values.spelled.emptyArray);
        }
        values.builder.add(array, values.spelled.openArray, rule(start));
        while (!toDo.isEmpty()) {
            add(toDo.remove(), goals);
        }
        return true;
    }

    private double states(int size) {
        double states = 1;
        double ways = 1;
        for (int i = 0; i < Math.min(size, shape.max()); i++) {
            ways = ways * (size - i) / (i + 1);
            states += ways;
        }
        return states;
    }

    private Rule rule(State state) {
        var known = rules.get(state);
        if (known == null) {
            known = values.builder.rule();
            rules.put(state, known);
            toDo.add(state);
        }
        return known;
    }

    private void add(State state, List<List<Object>> goals) {
        var all = List.copyOf(constants.keySet());
        int count = Long.bitCount(state.written) + 1;
        var possible = goals.get(Math.min(state.index, goals.size() - 1));
        for (int i = 0; i < all.size(); i++) {
            if ((state.written >> i & 1) == 0 && possible.contains(all.get(i))) {
                var item = values.builder.terminal(Objects.requireNonNull(constants.get(all.get(i))));
                if (count >= shape.min()) {
                    values.builder.add(rule(state), item, values.spelled.closeArray);
                }
                if (count < shape.max() && count < all.size()) {
                    var next = new State(Math.min(count, goals.size() - 1), state.written | 1L << i);
                    values.builder.add(rule(state), item, values.spelled.comma, rule(next));
                }
            }
        }
    }

    /// Null where they are not a short list.
    private @Nullable List<Object> constants(Goal goal) {
        var found = new ArrayList<Object>();
        for (var type : JsonType.values()) {
            for (var shape : values.expansion.shapes(goal, type)) {
                if (!shape.isPlainlyEmpty() && !addConstants(shape, found)) {
                    return null;
                }
            }
        }
        return found;
    }

    private boolean addConstants(Shape one, List<Object> found) {
        var pool = values.context.pool;
        switch (one) {
            case NullShape _ -> add(JsonType.NULL, pool.literal("null"), found);
            case BooleanShape bool -> {
                if (bool.mayBeTrue()) {
                    add(true, pool.literal("true"), found);
                }
                if (bool.mayBeFalse()) {
                    add(false, pool.literal("false"), found);
                }
            }
            case NumberShape number -> {
                if (number.values() == null) {
                    return false;
                }
                for (var value : number.listed()) {
                    var only = NumberShape.of(new java.util.TreeSet<>(List.of(value)), true);
                    add(value.stripTrailingZeros(), values.scalars.regex((NumberShape) number.and(only)), found);
                }
            }
            case StringShape string -> {
                return addStrings(string, found);
            }
            case ArrayShape _, ObjectShape _ -> {
                return false;
            }
        }
        return true;
    }

    private boolean addStrings(StringShape shape, List<Object> found) {
        var listed = shape.values();
        if (listed == null) {
            return false;
        }
        if (listed.size() >= Long.SIZE) {
            throw new TooComplexException("'uniqueItems' over more than " + Long.SIZE + " values is too complex.");
        }
        for (var value : listed) {
            var only = values.scalars.regex((StringShape) shape.and(StringShape.of(java.util.Set.of(value))));
            if (!only.isEmpty()) {
                add(value, only, found);
            }
        }
        return true;
    }

    private void add(Object value, Regex text, List<Object> found) {
        constants.putIfAbsent(value, text);
        found.add(value);
    }
}
