package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.grammar.GrammarBuilder;
import dev.counterpoint.structured.grammar.Symbol;
import dev.counterpoint.structured.regex.Regex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// Makes a grammar of what may still follow a place in a text: the rests of the terminals that are being read, each
/// with the symbols behind it, and what waits for the rules around them.
final class Remainder {
    private final Grammar grammar;
    private final GrammarBuilder builder;
    private final Map<Integer, Symbol.Rule> rules = new HashMap<>();
    private final Map<ReturnPoint, Symbol.Rule> returns = new IdentityHashMap<>();
    private final Deque<Runnable> toDo = new ArrayDeque<>();

    Remainder(Grammar grammar, GrammarBuilder builder) {
        this.grammar = grammar;
        this.builder = builder;
    }

    Grammar of(ParseState state) {
        var start = builder.rule();
        for (var thread : state.threads()) {
            add(start, thread.state(), thread.terminal().after());
        }
        var row = state.row();
        if (row != null) {
            row.terminals().forEach(terminal -> add(start, terminal.regex(), terminal.after()));
            if (row.accepting()) {
                builder.add(start);
            }
        }
        while (!toDo.isEmpty()) {
            toDo.remove().run();
        }
        return builder.build(start);
    }

    private void add(Symbol.Rule start, Regex regex, List<Item> after) {
        for (var item : after) {
            var sequence = new ArrayList<Symbol>();
            sequence.add(builder.terminal(regex));
            sequence.addAll(from(item));
            builder.add(start, sequence);
        }
    }

    private List<Symbol> from(Item item) {
        var sequence = symbols(item.position());
        if (!item.returnPoint().isEnd()) {
            sequence.add(after(item.returnPoint()));
        }
        return sequence;
    }

    private List<Symbol> symbols(int position) {
        var sequence = new ArrayList<Symbol>();
        for (int at = position; grammar.symbol(at) != Grammar.END; at++) {
            int symbol = grammar.symbol(at);
            sequence.add(Grammar.isTerminal(symbol) ? builder.terminal(grammar.terminal(symbol)) : rule(symbol));
        }
        return sequence;
    }

    private Symbol.Rule rule(int number) {
        var known = rules.get(number);
        if (known != null) {
            return known;
        }
        var rule = builder.rule();
        rules.put(number, rule);
        toDo.add(() -> {
            for (int position : grammar.alternatives(number)) {
                builder.add(rule, symbols(position));
            }
        });
        return rule;
    }

    private Symbol.Rule after(ReturnPoint point) {
        var known = returns.get(point);
        if (known != null) {
            return known;
        }
        var rule = builder.rule();
        returns.put(point, rule);
        toDo.add(() -> point.waiting().forEach(item -> builder.add(rule, from(item))));
        return rule;
    }
}
