package dev.counterpoint.structured.export;

import dev.counterpoint.structured.grammar.Grammar;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/// Turns left recursion into repetition, also where it goes through several rules. As in Paull's algorithm, a rule
/// takes over the alternatives of an earlier one that it starts with and that leads back to it.
final class LeftRecursionRemoval {
    private static final int ALTERNATIVES_MAX = 1_000;

    private final Grammar grammar;
    private final List<Rule> done = new ArrayList<>();

    LeftRecursionRemoval(Grammar grammar) {
        this.grammar = grammar;
    }

    /// What an alternative is made of.
    ///
    /// @param first number of the rule that it starts with; negative when it starts with a terminal
    /// @param text of the first symbol, if it is a terminal, and of all others
    record Alternative(int first, List<String> text) {
        Alternative then(List<String> more) {
            var all = new ArrayList<>(text);
            all.addAll(more);
            return new Alternative(first, all);
        }

        private String written() {
            var said = text.stream().filter(part -> !part.isEmpty()).collect(Collectors.joining(" "));
            var start = first < 0 ? "" : "r" + first;
            return start.isEmpty() && said.isEmpty() ? "\"\"" : (start + " " + said).trim();
        }
    }

    /// One of the alternatives, then any number of the repeated ones.
    private record Rule(List<Alternative> bases, List<Alternative> repeated) {
        List<String> repetition() {
            return repeated.isEmpty() ? List.of() : List.of("(" + all(repeated) + ")*");
        }

        static String all(List<Alternative> alternatives) {
            return alternatives.stream().map(Alternative::written).collect(Collectors.joining(" | "));
        }
    }

    /// The body of the next rule; rules come in the order of their numbers.
    String next(List<Alternative> alternatives) {
        int rule = done.size();
        var toDo = new ArrayDeque<>(alternatives);
        var made = new Rule(new ArrayList<>(), new ArrayList<>());
        for (int left = ALTERNATIVES_MAX; !toDo.isEmpty(); left--) {
            if (left == 0) {
                throw new UnwritableException("too many alternatives");
            }
            var next = toDo.remove();
            if (next.first == rule) {
                made.repeated.add(new Alternative(-1, next.text));
            } else if (next.first >= 0 && next.first < rule && leads(next.first, rule)) {
                var earlier = done.get(next.first);
                for (var base : earlier.bases) {
                    toDo.add(base.then(earlier.repetition()).then(next.text));
                }
            } else {
                made.bases.add(next);
            }
        }
        done.add(made);
        var start = Rule.all(made.bases);
        return made.repeated.isEmpty()
                ? start
                : "(" + start + ") " + made.repetition().getFirst();
    }

    /// Whether a text of a rule may start with one of another.
    private boolean leads(int from, int to) {
        var seen = new BitSet();
        var toDo = new ArrayDeque<Integer>();
        toDo.add(from);
        while (!toDo.isEmpty()) {
            for (int position : grammar.alternatives(toDo.remove())) {
                int first = grammar.symbol(position);
                if (first == to) {
                    return true;
                }
                if (first != Grammar.END && !Grammar.isTerminal(first) && !seen.get(first)) {
                    seen.set(first);
                    toDo.add(first);
                }
            }
        }
        return false;
    }
}
