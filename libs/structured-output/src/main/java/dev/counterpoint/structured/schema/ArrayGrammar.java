package dev.counterpoint.structured.schema;

import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writes the lists of one shape. The rules repeat on the left, unless they count far: then the matcher would look
/// at all of them at the start.
final class ArrayGrammar {
    private static final int LEFT_MAX = 16;

    private final ValueGrammar values;
    private final ArrayShape shape;
    private final int indexMax;
    private final Map<State, Rule> rules = new HashMap<>();
    private final ArrayDeque<State> toDo = new ArrayDeque<>();

    /// After so many items, as far as that matters, of which so many meet each count's goal.
    private record State(int index, List<Integer> counted) {}

    /// A way to write the next item.
    private record Option(Goal goal, State after) {}

    ArrayGrammar(ValueGrammar values, ArrayShape shape) {
        this.values = values;
        this.shape = shape;
        int most = Math.max(shape.prefix().size(), shape.min());
        for (var count : shape.counts()) {
            most = Math.max(most, count.from());
        }
        indexMax = shape.max() == ArrayShape.UNBOUNDED ? most : Math.max(most, shape.max());
    }

    void write(Rule array) {
        var distinct = shape.distinct();
        if (distinct != null && shape.max() > 1) {
            var written = new DistinctItems(values, shape).write(array);
            if (written) {
                return;
            }
            values.context.unsupported(
                    distinct, "uniqueItems", "cannot be enforced here: the items are not a short list of constants.");
        }
        var start = new State(0, shape.counts().stream().map(_ -> 0).toList());
        if (mayEnd(start)) {
            values.builder.add(array, values.spelled.emptyArray);
        }
        boolean left = indexMax <= LEFT_MAX;
        if (left) {
            writeLeft(array, start);
        } else {
            values.builder.add(array, values.spelled.openArray, rule(start));
        }
        while (!toDo.isEmpty()) {
            WorkLimit.spend(1);
            var state = toDo.remove();
            if (left) {
                addLeft(array, state);
            } else {
                addRight(state);
            }
        }
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

    private void writeLeft(Rule array, State start) {
        for (var option : options(start)) {
            values.builder.add(rule(option.after), values.spelled.openArray, values.value(option.goal));
        }
    }

    private void addLeft(Rule array, State state) {
        if (mayEnd(state)) {
            values.builder.add(array, rule(state), values.spelled.closeArray);
        }
        for (var option : options(state)) {
            values.builder.add(rule(option.after), rule(state), values.spelled.comma, values.value(option.goal));
        }
    }

    private void addRight(State state) {
        for (var option : options(state)) {
            Symbol item = values.value(option.goal);
            if (mayEnd(option.after)) {
                values.builder.add(rule(state), item, values.spelled.closeArray);
            }
            if (!options(option.after).isEmpty()) {
                values.builder.add(rule(state), item, values.spelled.comma, rule(option.after));
            }
        }
    }

    private boolean mayEnd(State state) {
        boolean counted = true;
        for (int i = 0; i < shape.counts().size(); i++) {
            counted &= state.counted.get(i) >= shape.counts().get(i).min();
        }
        return counted && state.index >= shape.min();
    }

    private List<Option> options(State state) {
        if (state.index == shape.max()) {
            return List.of();
        }
        var next = new State(Math.min(state.index + 1, indexMax), state.counted);
        var options = List.of(new Option(shape.goal(state.index), next));
        for (int i = 0; i < shape.counts().size(); i++) {
            if (state.index >= shape.counts().get(i).from()) {
                options = counted(options, i);
            }
        }
        return options.stream().filter(option -> !option.goal.isNever()).toList();
    }

    private List<Option> counted(List<Option> options, int index) {
        var count = shape.counts().get(index);
        var result = new ArrayList<Option>();
        for (var option : options) {
            WorkLimit.spend(1);
            int sofar = option.after.counted.get(index);
            boolean bounded = count.max() < ArrayShape.UNBOUNDED;
            boolean enough = !bounded && sofar >= count.min();
            result.add(new Option(bounded ? option.goal.and(count.opposite()) : option.goal, option.after));
            if (!enough && sofar < count.max()) {
                result.add(new Option(option.goal.and(count.goal()), withOneMore(option.after, index)));
            }
        }
        return result;
    }

    private static State withOneMore(State state, int index) {
        var counted = new ArrayList<>(state.counted);
        counted.set(index, counted.get(index) + 1);
        return new State(state.index, counted);
    }
}
