package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Makes a row: from the items that a terminal leads to, all that can be predicted and completed.
final class Closure {
    private final Grammar grammar;
    private final int rowNumber;
    private final Set<Item> seen = new HashSet<>();
    private final Deque<Item> toDo = new ArrayDeque<>();
    private final Map<Integer, ReturnPoint> returnPoints = new HashMap<>();
    private final Map<Regex, List<Item>> terminals = new LinkedHashMap<>();
    private boolean accepting;

    Closure(Grammar grammar, int rowNumber) {
        this.grammar = grammar;
        this.rowNumber = rowNumber;
    }

    Row of(Collection<Item> kernel) {
        kernel.forEach(this::add);
        while (!toDo.isEmpty()) {
            WorkLimit.spend(1);
            goOn(toDo.remove());
        }
        var list = new ArrayList<Terminal>(terminals.size());
        terminals.forEach((regex, after) -> list.add(new Terminal(regex, after)));
        return new Row(accepting, list);
    }

    private void add(Item item) {
        if (seen.add(item)) {
            toDo.add(item);
        }
    }

    private void goOn(Item item) {
        int symbol = grammar.symbol(item.position());
        if (symbol == Grammar.END) {
            complete(item.returnPoint());
        } else if (Grammar.isTerminal(symbol)) {
            terminals
                    .computeIfAbsent(grammar.terminal(symbol), _ -> new ArrayList<>(1))
                    .add(item.next());
        } else if (Grammar.isGuard(symbol)) {
            var guard = grammar.guard(symbol);
            if (guard.passes(item.marks())) {
                add(item.next(guard.added()));
            }
        } else {
            predict(symbol, item);
        }
    }

    private void complete(ReturnPoint returnPoint) {
        if (returnPoint.isEnd()) {
            accepting = true;
        } else if (returnPoint.rowNumber() != rowNumber) {
            returnPoint.waiting().forEach(this::add);
        }
        // A rule that matched nothing was stepped over when it was predicted.
    }

    /// A rule that ends its alternative takes over the return point, so that chains of rules do not grow with the
    /// text, and the marks.
    private void predict(int rule, Item item) {
        var next = item.next();
        var returnPoint = item.returnPoint();
        long marks = item.marks();
        if (grammar.symbol(next.position()) != Grammar.END) {
            returnPoint = returnPoints.computeIfAbsent(rule, _ -> new ReturnPoint(rowNumber, rule));
            returnPoint.await(next);
            marks = 0;
        }
        for (int start : grammar.alternatives(rule)) {
            add(new Item(start, returnPoint, marks));
        }
        if (grammar.nullable(rule)) {
            add(next);
        }
    }
}
