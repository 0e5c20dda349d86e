package dev.counterpoint.structured.regex;

import dev.counterpoint.structured.regex.Regex.Liveness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Brzozowski's derivatives, for all bytes of an expression at once; bytes that no part tells apart are one class.
/// [#of] is called under the pool's lock; threads that race in the others find the same.
final class Derivation {
    /// To put so many parts together is one more step of work.
    private static final int PARTS_PER_STEP = 8;
    private static final byte[] ONE_CLASS = new byte[Transitions.BYTES];

    private final RegexPool pool;

    Derivation(RegexPool pool) {
        this.pool = pool;
    }

    /// Without a look at whether what follows can match at all.
    Transitions of(Regex regex) {
        var known = regex.derived;
        if (known == null) {
            WorkLimit.spend(1);
            known = derive(regex);
            regex.derived = known;
        }
        return known;
    }

    private Transitions derive(Regex regex) {
        var parts = regex.shape().parts();
        return switch (regex.kind()) {
            case NOTHING, EMPTY -> new Transitions(ONE_CLASS, new @Nullable Regex[1]);
            case BYTES -> ofBytes(regex.shape().bytes());
            case CONCAT -> ofConcat(parts.getFirst(), parts.getLast());
            case OR -> combined(parts, pool::or);
            case AND -> combined(parts, pool::and);
            case NOT -> combined(parts, choice -> pool.not(choice.getFirst()));
            case REPEAT -> mapped(parts.getFirst(), rest -> pool.concat(rest, fewer(regex)));
        };
    }

    private Transitions ofBytes(ByteSet set) {
        if (set.equals(ByteSet.ALL)) {
            return new Transitions(ONE_CLASS, new Regex[] {pool.empty()});
        }
        var classes = new byte[Transitions.BYTES];
        for (int value = 0; value < Transitions.BYTES; value++) {
            classes[value] = (byte) (set.contains(value) ? 1 : 0);
        }
        return new Transitions(classes, new @Nullable Regex[] {null, pool.empty()});
    }

    private Transitions ofConcat(Regex first, Regex then) {
        if (!first.nullable()) {
            return mapped(first, rest -> pool.concat(rest, then));
        }
        return combined(
                List.of(first, then), choice -> pool.or(pool.concat(choice.getFirst(), then), choice.getLast()));
    }

    private Regex fewer(Regex repeat) {
        var shape = repeat.shape();
        int max = shape.max() == Regex.UNBOUNDED ? Regex.UNBOUNDED : shape.max() - 1;
        return pool.repeat(shape.parts().getFirst(), Math.max(0, shape.min() - 1), max);
    }

    private Transitions mapped(Regex regex, UnaryOperator<Regex> after) {
        var inner = of(regex);
        @Nullable Regex[] targets = new @Nullable Regex[inner.targets().length];
        for (int i = 0; i < targets.length; i++) {
            var target = inner.targets()[i];
            targets[i] = target == null ? null : orNull(after.apply(target));
        }
        return new Transitions(inner.classes(), targets);
    }

    /// @param together of what follows in each part, where nothing is [RegexPool#nothing]
    private Transitions combined(List<Regex> parts, Function<List<Regex>, Regex> together) {
        WorkLimit.spend(parts.size() / PARTS_PER_STEP);
        var all = parts.stream().map(this::of).toList();
        var classes = ONE_CLASS;
        int count = 1;
        for (var one : all) {
            if (one.targets().length > 1) {
                var refined = new byte[Transitions.BYTES];
                count = refine(classes, one, new int[count * one.targets().length], refined);
                classes = refined;
            }
        }
        @Nullable Regex[] targets = new @Nullable Regex[count];
        var done = new boolean[count];
        for (int value = 0; value < Transitions.BYTES; value++) {
            int index = classes[value] & 0xff;
            if (!done[index]) {
                done[index] = true;
                targets[index] = orNull(together.apply(after(all, value)));
            }
        }
        return new Transitions(classes, targets);
    }

    private List<Regex> after(List<Transitions> all, int value) {
        var list = new ArrayList<Regex>(all.size());
        for (var one : all) {
            var target = one.step(value);
            list.add(target == null ? pool.nothing() : target);
        }
        return list;
    }

    /// @param numbers of each pair of classes, all 0
    private static int refine(byte[] first, Transitions second, int[] numbers, byte[] refined) {
        int width = second.targets().length;
        int count = 0;
        for (int value = 0; value < Transitions.BYTES; value++) {
            int pair = (first[value] & 0xff) * width + (second.classes()[value] & 0xff);
            if (numbers[pair] == 0) {
                numbers[pair] = ++count;
            }
            refined[value] = (byte) (numbers[pair] - 1);
        }
        return count;
    }

    private @Nullable Regex orNull(Regex regex) {
        return regex == pool.nothing() ? null : regex;
    }

    /// As [#of] without what can match nothing.
    Transitions live(Regex regex) {
        var all = pool.derived(regex);
        var targets = all.targets().clone();
        boolean same = true;
        for (int i = 0; i < targets.length; i++) {
            var target = targets[i];
            if (target != null && target.liveness() == Liveness.DEAD) {
                targets[i] = null;
                same = false;
            }
        }
        return same ? all : new Transitions(all.classes(), targets);
    }

    /// Looks for a string that the expression matches: breadth first, so that the shortest is found.
    void decideLiveness(Regex regex) {
        var cameFrom = new HashMap<Regex, Regex>();
        var queue = new ArrayDeque<Regex>();
        queue.add(regex);
        cameFrom.put(regex, regex);
        int visited = 0;
        while (!queue.isEmpty()) {
            var state = queue.remove();
            if (state.knownLiveness() == Liveness.LIVE) {
                markLive(state, cameFrom);
                return;
            }
            WorkLimit.visit(visited++);
            for (var target : pool.derived(state).targets()) {
                if (target != null
                        && target.knownLiveness() != Liveness.DEAD
                        && cameFrom.putIfAbsent(target, state) == null) {
                    queue.add(target);
                }
            }
        }
        cameFrom.keySet().forEach(state -> state.decide(Liveness.DEAD));
    }

    private static void markLive(Regex found, Map<Regex, Regex> cameFrom) {
        var state = found;
        while (true) {
            state.decide(Liveness.LIVE);
            var before = cameFrom.get(state);
            if (before == null || before == state) {
                return;
            }
            state = before;
        }
    }
}
