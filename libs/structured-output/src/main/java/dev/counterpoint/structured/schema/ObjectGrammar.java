package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.ObjectMembers.Option;
import dev.counterpoint.structured.schema.ObjectMembers.Property;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes objects: first the properties that have names, in their order, then all others. The rules repeat on the
/// left:
/// `ready` is all that comes before a key, `written` all up to the end of a value.
final class ObjectGrammar {
    private final ValueGrammar values;
    private final ObjectMembers members;
    private final List<Property> properties;
    private final Map<State, Rule> ready = new LinkedHashMap<>();
    private final Map<State, Rule> written = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> toDo = new ArrayDeque<>();

    /// @param next index of the next property that may be written
    /// @param count of those written
    /// @param witnesses served so far
    private record State(int next, MemberCount count, long witnesses) {}

    ObjectGrammar(ValueGrammar values, ObjectMembers members) {
        this.values = values;
        this.members = members;
        properties = members.properties();
    }

    void write(Rule object) {
        var start = new State(0, MemberCount.NONE, 0);
        if (mayEnd(start)) {
            values.builder.add(object, values.spelled.emptyObject);
        }
        values.builder.add(ready(start, object), values.spelled.openObject);
        while (!toDo.isEmpty()) {
            WorkLimit.spend(1);
            toDo.remove().run();
        }
    }

    private Rule ready(State state, Rule object) {
        return rule(ready, state, () -> addKeys(state, object));
    }

    private Rule written(State state, Rule object) {
        return rule(written, state, () -> addEnd(state, object));
    }

    private Rule rule(Map<State, Rule> rules, State state, Runnable continuation) {
        var known = rules.get(state);
        if (known == null) {
            known = values.builder.rule();
            rules.put(state, known);
            toDo.add(continuation);
        }
        return known;
    }

    private void addKeys(State state, Rule object) {
        var before = ready(state, object);
        for (var option : optionsAt(state)) {
            var symbols = new ArrayList<Symbol>();
            symbols.add(before);
            var after = append(symbols, state, option);
            while (mustGoOn(after)) {
                symbols.add(values.spelled.comma);
                after = append(
                        symbols, after, properties.get(after.next).options().getFirst());
            }
            if (canBeServed(after)) {
                values.builder.add(written(after, object), symbols);
            }
        }
        if (state.next < properties.size() && !properties.get(state.next).required()) {
            var skipped = skipped(state);
            if (canGoOn(skipped) && canBeServed(skipped)) {
                values.builder.add(ready(skipped, object), before);
            }
        }
    }

    private State append(List<Symbol> symbols, State state, Option option) {
        symbols.add(option.key());
        symbols.add(values.value(option.goal()));
        return after(state, option);
    }

    /// True if just one property can follow and one must: then it needs no rule of its own.
    private boolean mustGoOn(State state) {
        return state.next < properties.size()
                && properties.get(state.next).required()
                && optionsAt(state).size() == 1;
    }

    private List<Option> optionsAt(State state) {
        if (members.isFull(state.count)) {
            return List.of();
        }
        return state.next < properties.size() ? properties.get(state.next).options() : members.others();
    }

    private State after(State state, Option option) {
        int next = Math.min(state.next + 1, properties.size());
        return new State(next, members.plus(state.count, option), state.witnesses | option.witnesses());
    }

    private State skipped(State state) {
        return new State(
                state.next + 1,
                state.count,
                state.witnesses | properties.get(state.next).without());
    }

    private void addEnd(State state, Rule object) {
        if (mayEnd(state)) {
            values.builder.add(object, written(state, object), values.spelled.closeObject);
        }
        if (canGoOn(state)) {
            values.builder.add(ready(state, object), written(state, object), values.spelled.comma);
        }
    }

    /// True if a property may follow.
    private boolean canGoOn(State state) {
        if (members.isFull(state.count)) {
            return false;
        }
        return state.next < properties.size() || !members.others().isEmpty();
    }

    /// True if all witnesses were or can be served.
    private boolean canBeServed(State state) {
        return (state.witnesses | members.servedFrom(state.next)) == members.allWitnesses();
    }

    /// True if all that is left may be left out.
    private boolean mayEnd(State state) {
        long witnesses = state.witnesses;
        for (var property : properties.subList(state.next, properties.size())) {
            if (property.required()) {
                return false;
            }
            witnesses |= property.without();
        }
        return witnesses == members.allWitnesses() && members.isEnough(state.count);
    }
}
