package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.schema.KeyClasses.KeyClass;
import dev.counterpoint.structured.schema.ObjectShape.Clue;
import dev.counterpoint.structured.schema.ObjectShape.Named;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The properties that the objects of one shape may have.
final class ObjectMembers {
    private final ValueGrammar values;
    private ObjectShape shape;
    private final List<Property> properties = new ArrayList<>();
    private final List<Option> others = new ArrayList<>();
    private long[] servedFrom = {};

    /// A way to write a property.
    ///
    /// @param witnesses that it serves
    /// @param listed whether the schema lists the name
    record Option(Symbol key, Goal goal, long witnesses, boolean listed) {}

    /// A property that has a name.
    ///
    /// @param without the witnesses that are served when it is left out
    record Property(List<Option> options, boolean required, long without) {}

    ObjectMembers(ValueGrammar values, ObjectShape given) {
        var shape = Witnesses.settled(given);
        if (shape.witnesses().size() >= Long.SIZE - 1) {
            throw new TooComplexException("The schema combines too many conditions.");
        }
        this.values = values;
        this.shape = withAllNames(shape);
        this.shape.named().forEach((name, named) -> properties.add(property(name, named)));
        addOthers();
        checkMin();
        addServed();
    }

    /// Those that have names, in the schema's order.
    List<Property> properties() {
        return properties;
    }

    /// Ways to write any other.
    List<Option> others() {
        return others;
    }

    long allWitnesses() {
        return (1L << shape.witnesses().size()) - 1;
    }

    /// The witnesses that can be served from a property on: by that one, by those after it or by others.
    long servedFrom(int index) {
        return servedFrom[index];
    }

    private void addServed() {
        servedFrom = new long[properties.size() + 1];
        long served = others.stream().mapToLong(Option::witnesses).reduce(0, (a, b) -> a | b);
        for (int i = properties.size(); i >= 0; i--) {
            if (i < properties.size()) {
                var property = properties.get(i);
                served |= property.without;
                served |= property.options.stream().mapToLong(Option::witnesses).reduce(0, (a, b) -> a | b);
            }
            servedFrom[i] = served;
        }
    }

    /// The count after one more.
    MemberCount plus(MemberCount count, Option option) {
        int all = shape.max() < ObjectShape.UNBOUNDED ? count.all() + 1 : 0;
        if (shape.min() == 0) {
            return new MemberCount(all, 0, false);
        }
        boolean isNew = option.listed || !count.others();
        int distinct = Math.min(count.distinct() + (isNew ? 1 : 0), shape.min());
        return new MemberCount(all, distinct, count.others() || !option.listed);
    }

    /// True if these are enough.
    boolean isEnough(MemberCount count) {
        return count.distinct() >= shape.min();
    }

    /// True if there may be no more than these.
    boolean isFull(MemberCount count) {
        return shape.max() < ObjectShape.UNBOUNDED && count.all() >= shape.max();
    }

    /// True if nothing matters but which properties are there.
    boolean isPlain() {
        return shape.min() == 0
                && shape.max() == ObjectShape.UNBOUNDED
                && shape.witnesses().isEmpty();
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
                    case Clue.Absent(var name, var _) -> named.putIfAbsent(name, any);
                    case Clue.Present(var keys, var _) -> {
                        keys.except().forEach(name -> named.putIfAbsent(name, any));
                        if (keys.only() != null) {
                            named.putIfAbsent(keys.only(), any);
                        }
                    }
                }
            }
        }
        return new ObjectShape(named, given.rules(), given.witnesses(), given.min(), given.max());
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
                    case Clue.Absent(var absent, var _) -> without |= absent.equals(name) ? 1L << i : 0;
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
                .map(one -> new Option(key, one.getValue(), one.getKey(), true))
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
        var classes = new KeyClasses(values.scalars, shape.named().keySet(), any);
        shape.rules().forEach(rule -> classes.restrict(rule.keys().pattern(), rule.goal()));
        for (int i = 0; i < shape.witnesses().size() && !classes.classes().isEmpty(); i++) {
            for (var clue : shape.witnesses().get(i).clues()) {
                if (clue instanceof Clue.Present(var keys, var goal) && keys.only() == null) {
                    classes.distinguish(keys.pattern(), goal, 1L << i);
                }
            }
        }
        record Kind(Goal goal, long witnesses) {}
        var byKind = new LinkedHashMap<Kind, List<KeyClass>>();
        for (var one : classes.classes()) {
            byKind.computeIfAbsent(new Kind(one.goal(), one.witnesses()), _ -> new ArrayList<>())
                    .add(one);
        }
        byKind.forEach((kind, same) -> {
            var pool = values.context.pool;
            var names = pool.or(same.stream().map(classes::regex).toList());
            var key = values.builder.terminal(values.spelled.key(names));
            others.add(new Option(key, kind.goal, kind.witnesses, false));
        });
    }

    /// A number that only repeated names would meet is not enforced at all.
    private void checkMin() {
        int distinct =
                (int) properties.stream().filter(one -> !one.options.isEmpty()).count();
        if (others.isEmpty() || shape.min() <= distinct + 1) {
            return;
        }
        var reason = "'minProperties' cannot be enforced over names that are not listed.";
        if (!values.context.options.lenient()) {
            throw new SchemaRefusedException("minProperties", "", reason);
        }
        values.context.note(new Unenforced("minProperties", "", reason));
        shape = new ObjectShape(shape.named(), shape.rules(), shape.witnesses(), distinct + 1, shape.max());
    }
}
