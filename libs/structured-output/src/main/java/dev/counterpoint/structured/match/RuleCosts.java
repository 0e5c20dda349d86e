package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The least bytes of each rule of a grammar, guards left out, and the marks that its guards want. Thread-safe.
final class RuleCosts {
    /// What no text has.
    static final int ENDLESS = 1 << 28;

    private static final int KEPT_MAX = 10_000;
    /// Readable ones first.
    private static final int[] BYTES = IntStream.concat(
                    IntStream.concat(IntStream.rangeClosed('a', 'z'), IntStream.rangeClosed('0', '9')),
                    IntStream.range(0, 256))
            .toArray();

    private final Grammar grammar;
    private final int[] costs;
    private final long[] wanted;
    private final Map<Regex, byte[]> shortest = new HashMap<>();

    /// @param before null at the start
    private record Step(@Nullable Step before, int length, int value) {
        static final Step NONE = new Step(null, 0, 0);
    }

    RuleCosts(Grammar grammar) {
        this.grammar = grammar;
        costs = new int[grammar.rules()];
        wanted = new long[grammar.rules()];
        Arrays.fill(costs, ENDLESS);
        boolean changed = true;
        while (changed) {
            changed = false;
            // Rules mostly ask for later ones.
            for (int rule = grammar.rules() - 1; rule >= 0; rule--) {
                changed |= improve(rule);
            }
        }
    }

    static int sum(int one, int other) {
        return Math.min(ENDLESS, one + other);
    }

    private boolean improve(int rule) {
        int least = costs[rule];
        long marks = wanted[rule];
        for (int position : grammar.alternatives(rule)) {
            WorkLimit.spend(1);
            int cost = 0;
            for (int at = position; grammar.symbol(at) != Grammar.END; at++) {
                int symbol = grammar.symbol(at);
                if (Grammar.isGuard(symbol)) {
                    marks |= grammar.guard(symbol).present();
                    continue;
                }
                cost = sum(cost, of(symbol));
                if (!Grammar.isTerminal(symbol) && grammar.symbol(at + 1) == Grammar.END) {
                    marks |= wanted[symbol];
                }
            }
            least = Math.min(least, cost);
        }
        boolean better = least < costs[rule] || marks != wanted[rule];
        costs[rule] = least;
        wanted[rule] = marks;
        return better;
    }

    /// The cost of a terminal or a rule.
    int of(int symbol) {
        return Grammar.isTerminal(symbol) ? of(grammar.terminal(symbol)) : costs[symbol];
    }

    int of(Regex regex) {
        return shortest(regex).length;
    }

    /// The marks that guards want of the rule and of those that continue it.
    long wanted(int rule) {
        return wanted[rule];
    }

    /// A shortest text that an expression matches.
    synchronized byte[] shortest(Regex regex) {
        var known = shortest.get(regex);
        if (known == null) {
            known = search(regex);
            if (shortest.size() < KEPT_MAX) {
                shortest.put(regex, known);
            }
        }
        return known;
    }

    private static byte[] search(Regex start) {
        var steps = new HashMap<Regex, Step>();
        var toDo = new ArrayDeque<Regex>();
        steps.put(start, Step.NONE);
        toDo.add(start);
        while (!toDo.isEmpty()) {
            var state = toDo.remove();
            var reached = Objects.requireNonNull(steps.get(state));
            if (state.nullable()) {
                return text(reached);
            }
            WorkLimit.spend(1);
            for (int value : BYTES) {
                var next = state.step(value);
                if (next != null && steps.putIfAbsent(next, new Step(reached, reached.length + 1, value)) == null) {
                    toDo.add(next);
                }
            }
        }
        throw new IllegalStateException("an expression that matches nothing");
    }

    private static byte[] text(Step last) {
        var text = new byte[last.length];
        for (var step = last; step.before != null; step = step.before) {
            text[step.length - 1] = (byte) step.value;
        }
        return text;
    }
}
