package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.WorkLimit;
import dev.counterpoint.structured.schema.KeyClasses.KeyClass;
import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.schema.ObjectShape.Named;
import dev.counterpoint.structured.text.JsonText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes the objects of one shape: first the properties that have names, in their order, then all others. The rules
/// repeat on the left: `ready` is all that comes before a key, `written` all up to the end of a value.
final class ObjectGrammar {
    private final ValueGrammar values;
    private final ObjectShape shape;
    private final List<Property> properties = new ArrayList<>();
    private final List<Option> others = new ArrayList<>();
    private final long allWitnesses;
    private final int countMax;
    private final Map<State, Rule> ready = new LinkedHashMap<>();
    private final Map<State, Rule> written = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> toDo = new ArrayDeque<>();

    /// A way to write a property.
    ///
    /// @param witnesses that it serves
    private record Option(Symbol key, Goal goal, long witnesses) {}

    /// A property that has a name.
    ///
    /// @param without the witnesses that are served when it is left out
    private record Property(List<Option> options, boolean required, long without) {}

    /// @param next index of the next property that may be written
    /// @param count of those written, as far as it matters
    /// @param witnesses served so far
    private record State(int next, int count, long witnesses) {}

    ObjectGrammar(ValueGrammar values, ObjectShape shape) {
        this.values = values;
        this.shape = withAllNames(shape);
        allWitnesses = (1L << shape.witnesses().size()) - 1;
        countMax = shape.max() < ObjectShape.UNBOUNDED ? shape.max() : shape.min();
        if (shape.witnesses().size() >= Long.SIZE - 1) {
            throw new dev.counterpoint.structured.regex.TooComplexException("The schema combines too many conditions.");
        }
    }

    /// Lists the names that rules except too.
    private ObjectShape withAllNames(ObjectShape given) {
        var named = new LinkedHashMap<>(given.named());
        var any = new Named(values.context.goals.any(), false);
        for (var rule : given.rules()) {
            rule.keys().except().forEach(name -> named.putIfAbsent(name, any));
        }
        for (var witness : given.witnesses()) {
            for (var clue : witness.clues()) {
                switch (clue) {
                    case Clue.Absent(var name) -> named.putIfAbsent(name, any);
                    case Clue.Present(var keys, _) -> keys.except().forEach(name -> named.putIfAbsent(name, any));
                }
            }
        }
        return new ObjectShape(named, given.rules(), given.witnesses(), given.min(), given.max());
    }

    void write(Rule object) {
        shape.named().forEach((name, named) -> properties.add(property(name, named)));
        addOthers();
        var start = new State(0, 0, 0);
        if (mayEnd(start)) {
            values.builder.add(object, values.spelled.emptyObject);
        }
        values.builder.add(ready(start, object), values.spelled.openObject);
        while (!toDo.isEmpty()) {
            WorkLimit.spend(1);
            toDo.remove().run();
        }
    }

    private Property property(String name, Named named) {
        var goal = values.keys.goal(shape, name);
        var byWitnesses = new TreeMap<Long, Goal>();
        if (!goal.isNever()) {
            byWitnesses.put(0L, goal);
        }
        long without = 0;
        for (int i = 0; i < shape.witnesses().size(); i++) {
            for (var clue : shape.witnesses().get(i).clues()) {
                switch (clue) {
                    case Clue.Absent(var absent) -> without |= absent.equals(name) ? 1L << i : 0;
                    case Clue.Present(var keys, var wanted) -> {
                        if (values.keys.contains(keys, name)) {
                            distinguish(byWitnesses, wanted, 1L << i);
                        }
                    }
                }
            }
        }
        var key = values.spelled.key(name);
        var options = byWitnesses.entrySet().stream()
                .map(one -> new Option(key, one.getValue(), one.getKey()))
                .toList();
        return new Property(options, named.required(), without);
    }

    private static void distinguish(Map<Long, Goal> options, Goal wanted, long witness) {
        for (var option : List.copyOf(options.entrySet())) {
            var goal = option.getValue().and(wanted);
            if (goal == option.getValue()) {
                options.remove(option.getKey());
            }
            if (!goal.isNever()) {
                options.put(option.getKey() | witness, goal);
            }
        }
    }

    private void addOthers() {
        var any = values.context.goals.any();
        var classes = new KeyClasses(values.keys, shape.named().keySet(), any);
        shape.rules().forEach(rule -> classes.restrict(rule.keys().pattern(), rule.goal()));
        for (int i = 0; i < shape.witnesses().size() && !classes.classes().isEmpty(); i++) {
            for (var clue : shape.witnesses().get(i).clues()) {
                if (clue instanceof Clue.Present(var keys, var goal)) {
                    classes.distinguish(keys.pattern(), goal, 1L << i);
                }
            }
        }
        record Kind(Goal goal, long witnesses) {}
        var byKind = new LinkedHashMap<Kind, List<KeyClass>>();
        for (var one : classes.classes()) {
            byKind.computeIfAbsent(new Kind(one.goal(), one.witnesses()), _ -> new ArrayList<>()).add(one);
        }
        byKind.forEach((kind, same) -> {
            var pool = values.context.pool;
            var names = pool.or(same.stream().map(one -> JsonText.string(pool, one.names())).toList());
            others.add(new Option(values.builder.terminal(values.spelled.key(names)), kind.goal, kind.witnesses));
        });
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
            var after = written(after(state, option), object);
            values.builder.add(after, before, option.key, values.value(option.goal));
        }
        if (state.next < properties.size() && !properties.get(state.next).required) {
            var skipped = skipped(state);
            if (canGoOn(skipped)) {
                values.builder.add(ready(skipped, object), before);
            }
        }
    }

    private List<Option> optionsAt(State state) {
        if (shape.max() < ObjectShape.UNBOUNDED && state.count >= shape.max()) {
            return List.of();
        }
        return state.next < properties.size() ? properties.get(state.next).options : others;
    }

    private State after(State state, Option option) {
        int next = Math.min(state.next + 1, properties.size());
        return new State(next, Math.min(state.count + 1, countMax), state.witnesses | option.witnesses & allWitnesses);
    }

    private State skipped(State state) {
        return new State(state.next + 1, state.count, state.witnesses | properties.get(state.next).without);
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
        if (shape.max() < ObjectShape.UNBOUNDED && state.count >= shape.max()) {
            return false;
        }
        return state.next < properties.size() || !others.isEmpty();
    }

    /// True if all that is left may be left out.
    private boolean mayEnd(State state) {
        long witnesses = state.witnesses;
        for (var property : properties.subList(state.next, properties.size())) {
            if (property.required) {
                return false;
            }
            witnesses |= property.without;
        }
        return witnesses == allWitnesses && state.count >= shape.min();
    }
}
