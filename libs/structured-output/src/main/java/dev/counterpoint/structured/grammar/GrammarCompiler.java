package dev.counterpoint.structured.grammar;

import dev.counterpoint.structured.grammar.Symbol.Condition;
import dev.counterpoint.structured.grammar.Symbol.Rule;
import dev.counterpoint.structured.grammar.Symbol.Terminal;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Lays a grammar's rules into arrays. It drops rules that match no text and unused rules, so every prefix that the
/// matcher accepts is the start of some matching text.
final class GrammarCompiler {
    private final RegexPool regexes;
    private final List<List<List<Symbol>>> rules;
    private final boolean[] productive;
    private final boolean[] nullable;

    GrammarCompiler(RegexPool regexes, List<List<List<Symbol>>> rules) {
        this.regexes = regexes;
        this.rules = rules;
        productive = new boolean[rules.size()];
        nullable = new boolean[rules.size()];
    }

    Grammar compile(Rule start) {
        fixpoint(productive, this::matchesSomething);
        if (!productive[start.number()]) {
            throw new UnsatisfiableException();
        }
        fixpoint(nullable, this::matchesEmpty);
        return new Layout().of(start.number());
    }

    private interface SymbolTest {
        boolean test(Symbol symbol);
    }

    /// Marks the rules that have an alternative whose symbols all pass, which may rest on marks of other rules.
    private void fixpoint(boolean[] marks, SymbolTest test) {
        var users = users();
        var queue = new ArrayDeque<Integer>();
        for (int rule = 0; rule < marks.length; rule++) {
            queue.add(rule);
        }
        while (!queue.isEmpty()) {
            int rule = queue.remove();
            WorkLimit.spend(1);
            if (!marks[rule]
                    && rules.get(rule).stream().anyMatch(one -> one.stream().allMatch(test::test))) {
                marks[rule] = true;
                queue.addAll(users.get(rule));
            }
        }
    }

    private List<List<Integer>> users() {
        var users = new ArrayList<List<Integer>>();
        rules.forEach(_ -> users.add(new ArrayList<>()));
        for (int rule = 0; rule < rules.size(); rule++) {
            for (var alternative : rules.get(rule)) {
                for (var symbol : alternative) {
                    addUser(users, symbol, rule);
                }
            }
        }
        return users;
    }

    private static void addUser(List<List<Integer>> users, Symbol symbol, int user) {
        switch (symbol) {
            case Rule used -> users.get(used.number()).add(user);
            case Condition condition -> condition.needs().forEach(need -> addUser(users, need, user));
            case Terminal _ -> {}
        }
    }

    private boolean matchesSomething(Symbol symbol) {
        return switch (symbol) {
            case Terminal(var regex) -> !regex.isEmpty();
            case Rule rule -> productive[rule.number()];
            case Condition condition -> condition.needs().stream().allMatch(this::matchesSomething);
        };
    }

    private boolean matchesEmpty(Symbol symbol) {
        return switch (symbol) {
            case Terminal(var regex) -> regex.nullable();
            case Rule rule -> nullable[rule.number()];
            case Condition _ -> false;
        };
    }

    /// Numbers rules and terminals in the order in which they are met from the start.
    private final class Layout {
        private final Map<Integer, Integer> ruleNumbers = new LinkedHashMap<>();
        private final ArrayDeque<Integer> toDo = new ArrayDeque<>();
        private final Map<Regex, Integer> terminalNumbers = new HashMap<>();
        private final List<Regex> terminals = new ArrayList<>();
        private final Map<Guard, Integer> guards = new LinkedHashMap<>();
        private final List<int[]> starts = new ArrayList<>();
        private int[] symbols = new int[64];
        private int length;

        Grammar of(int start) {
            number(start);
            while (!toDo.isEmpty()) {
                layRule(toDo.remove());
            }
            var empty = new boolean[ruleNumbers.size()];
            ruleNumbers.forEach((rule, number) -> empty[number] = nullable[rule]);
            var leaves = new Grammar.Leaves(terminals, List.copyOf(guards.keySet()));
            return new Grammar(Arrays.copyOf(symbols, length), starts.toArray(int[][]::new), empty, leaves);
        }

        private int number(int rule) {
            return ruleNumbers.computeIfAbsent(rule, _ -> {
                toDo.add(rule);
                return ruleNumbers.size();
            });
        }

        private void layRule(int rule) {
            var at = new ArrayList<Integer>();
            for (var alternative : rules.get(rule)) {
                if (alternative.stream().allMatch(GrammarCompiler.this::matchesSomething)) {
                    at.add(length);
                    layAll(alternative, 0, at);
                }
            }
            starts.add(at.stream().distinct().mapToInt(Integer::intValue).toArray());
        }

        /// A terminal that matches the empty text too gives two alternatives: with it and without.
        private void layAll(List<Symbol> alternative, int from, List<Integer> at) {
            for (int i = from; i < alternative.size(); i++) {
                if (alternative.get(i) instanceof Terminal(var regex) && regex.nullable()) {
                    splitAt(alternative, i, at);
                    return;
                }
            }
            for (var symbol : alternative) {
                append(code(symbol));
            }
            append(Grammar.END);
        }

        private void splitAt(List<Symbol> alternative, int index, List<Integer> at) {
            WorkLimit.spend(alternative.size());
            var regex = ((Terminal) alternative.get(index)).regex();
            var without = new ArrayList<>(alternative);
            without.remove(index);
            layAll(without, index, at);
            var some = regexes.and(regex, regexes.not(regexes.empty()));
            if (!some.isEmpty()) {
                var with = new ArrayList<>(alternative);
                with.set(index, new Terminal(some));
                at.add(length);
                layAll(with, index + 1, at);
            }
        }

        private int code(Symbol symbol) {
            return switch (symbol) {
                case Rule rule -> number(rule.number());
                case Condition(var guard, var _) -> {
                    int known = guards.size();
                    yield Grammar.codeOfGuard(Objects.requireNonNullElse(guards.putIfAbsent(guard, known), known));
                }
                case Terminal(var regex) ->
                    Grammar.codeOfTerminal(terminalNumbers.computeIfAbsent(regex, _ -> {
                        terminals.add(regex);
                        return terminals.size() - 1;
                    }));
            };
        }

        private void append(int code) {
            if (length == symbols.length) {
                symbols = Arrays.copyOf(symbols, 2 * length);
            }
            symbols[length++] = code;
        }
    }
}
