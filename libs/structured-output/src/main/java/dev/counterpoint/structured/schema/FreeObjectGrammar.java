package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.ObjectMembers.Option;
import dev.counterpoint.structured.schema.ObjectMembers.Property;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes objects in any order: the rules remember which properties were written, of many only the required ones.
/// They repeat on the right, so that the matcher meets only those that it needs.
final class FreeObjectGrammar {
    private static final int SMALL_MAX = 6;
    private static final int WAYS_MAX = 3_000;

    private final ValueGrammar values;
    private final ObjectMembers members;
    private final List<Property> properties;
    /// Of each property; 0 where it is not remembered.
    private final List<Long> bits = new ArrayList<>();
    /// Required properties keep their order, since there are too many ways to arrange them.
    private final boolean chained;
    private final Map<State, Rule> before = new HashMap<>();
    private final Map<State, Rule> after = new HashMap<>();
    private final ArrayDeque<State> toDo = new ArrayDeque<>();

    /// @param written indices of the properties, as bits
    /// @param count of those written, as far as it matters
    /// @param witnesses served by what was written
    private record State(long written, int count, long witnesses) {}

    FreeObjectGrammar(ValueGrammar values, ObjectMembers members) {
        this.values = values;
        this.members = members;
        properties = members.properties();
        boolean small = isSmall(members);
        chained = !small && (required(members) > SMALL_MAX || properties.size() << required(members) > WAYS_MAX);
        for (int i = 0; i < properties.size(); i++) {
            bits.add(
                    small || properties.get(i).required()
                            ? 1L << bits.stream().filter(bit -> bit != 0).count()
                            : 0L);
        }
    }

    /// True if that takes few rules.
    static boolean isPossible(ObjectMembers members) {
        if (isSmall(members)) {
            return true;
        }
        return !members.isCounted() && members.properties().size() * (required(members) + 1) <= WAYS_MAX;
    }

    private static long required(ObjectMembers members) {
        return members.properties().stream().filter(Property::required).count();
    }

    private static boolean isSmall(ObjectMembers members) {
        return members.properties().stream()
                        .filter(one -> !one.options().isEmpty())
                        .count()
                <= SMALL_MAX;
    }

    void write(Rule object) {
        var start = new State(0, 0, 0);
        if (mayEnd(start)) {
            values.builder.add(object, values.spelled.emptyObject);
        }
        values.builder.add(object, values.spelled.openObject, before(start));
        while (!toDo.isEmpty()) {
            WorkLimit.spend(1);
            addMembers(toDo.remove());
        }
    }

    /// A property and all that follows.
    private Rule before(State state) {
        var known = before.get(state);
        if (known == null) {
            known = values.builder.rule();
            before.put(state, known);
            toDo.add(state);
        }
        return known;
    }

    /// The end or more properties.
    private Rule after(State state) {
        var known = after.get(state);
        if (known == null) {
            known = values.builder.rule();
            after.put(state, known);
            if (mayEnd(state)) {
                values.builder.add(known, values.spelled.closeObject);
            }
            if (!members.isFull(state.count)) {
                values.builder.add(known, values.spelled.comma, before(state));
            }
        }
        return known;
    }

    private void addMembers(State state) {
        for (int i = 0; i < properties.size(); i++) {
            long bit = bits.get(i);
            long earlier = chained ? Math.max(0, bit - 1) : 0;
            if ((state.written & bit) == 0 && (state.written & earlier) == earlier) {
                for (var option : properties.get(i).options()) {
                    add(state, option, bit);
                }
            }
        }
        members.others().forEach(option -> add(state, option, 0));
    }

    private void add(State state, Option option, long bit) {
        if (!members.isFull(state.count)) {
            int count = Math.min(state.count + 1, members.countMax());
            var next = after(new State(state.written | bit, count, state.witnesses | option.witnesses()));
            values.builder.add(before(state), option.key(), values.value(option.goal()), next);
        }
    }

    private boolean mayEnd(State state) {
        long witnesses = state.witnesses;
        for (int i = 0; i < properties.size(); i++) {
            if ((state.written & bits.get(i)) == 0) {
                if (properties.get(i).required()) {
                    return false;
                }
                witnesses |= properties.get(i).without();
            }
        }
        return witnesses == members.allWitnesses() && state.count >= members.min();
    }
}
