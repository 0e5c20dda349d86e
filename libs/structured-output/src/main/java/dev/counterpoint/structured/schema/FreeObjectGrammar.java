package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.ObjectMembers.Option;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// Writes small objects in any order that must have or show more than some properties: a rule for each set of what
/// was written, so that none is kept from which there is no way on. The rules repeat on the right, so that the
/// matcher meets only those that it needs.
final class FreeObjectGrammar {
    private static final int PROPERTIES_MAX = 6;

    private final ValueGrammar values;
    private final ObjectMembers members;
    private final Map<State, Rule> before = new HashMap<>();
    private final Map<State, Rule> after = new HashMap<>();
    private final ArrayDeque<State> toDo = new ArrayDeque<>();

    /// @param written indices of the written properties, as bits
    /// @param count number of written properties
    /// @param witnesses witnesses that the written properties serve
    private record State(long written, MemberCount count, long witnesses) {}

    FreeObjectGrammar(ValueGrammar values, ObjectMembers members) {
        this.values = values;
        this.members = members;
    }

    /// True if that takes few rules.
    static boolean isPossible(ObjectMembers members) {
        return members.properties().size() <= PROPERTIES_MAX;
    }

    void write(Rule object) {
        var start = new State(0, MemberCount.NONE, 0);
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
        for (int i = 0; i < members.properties().size(); i++) {
            long bit = 1L << i;
            if ((state.written & bit) == 0) {
                members.properties().get(i).options().forEach(option -> add(state, option, bit));
            }
        }
        members.others().forEach(option -> add(state, option, 0));
    }

    private void add(State state, Option option, long bit) {
        if (!members.isFull(state.count)) {
            var count = members.plus(state.count, option);
            var next = after(new State(state.written | bit, count, state.witnesses | option.witnesses()));
            values.builder.add(before(state), option.key(), values.value(option.goal()), next);
        }
    }

    private boolean mayEnd(State state) {
        long witnesses = state.witnesses;
        for (int i = 0; i < members.properties().size(); i++) {
            if ((state.written & 1L << i) == 0) {
                var property = members.properties().get(i);
                if (property.required()) {
                    return false;
                }
                witnesses |= property.without();
            }
        }
        return witnesses == members.allWitnesses() && members.isEnough(state.count);
    }
}
