package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// The rows of one grammar that were met so far; forgets all when they are many, which costs only time.
/// Thread-safe.
final class RowTable {
    private static final int ROWS_MAX = 4_000;

    private final Grammar grammar;
    private final Map<List<Item>, ParseState> starts = new HashMap<>();
    private int made;

    RowTable(Grammar grammar) {
        this.grammar = grammar;
    }

    /// The state at the start of a text.
    ParseState start() {
        var end = ReturnPoint.end();
        var kernel = new ArrayList<Item>();
        for (int position : grammar.alternatives(grammar.start())) {
            kernel.add(new Item(position, end));
        }
        return after(kernel);
    }

    /// The state in which these items have just come to their next symbol.
    synchronized ParseState after(List<Item> items) {
        var kernel = items.size() == 1 ? items : List.copyOf(new TreeSet<>(items));
        var known = starts.get(kernel);
        if (known == null) {
            if (starts.size() >= ROWS_MAX) {
                starts.clear();
            }
            WorkLimit.spend(kernel.size());
            known = ParseState.start(new Closure(grammar, made++).of(kernel));
            starts.put(List.copyOf(kernel), known);
        }
        return known;
    }
}
