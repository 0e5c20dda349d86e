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
    /// Steps of wide states: they hold on to whatever they lead to.
    private static final int REMEMBERED_MAX = 4_000;
    private static final int BYTES_OF_STATE = 1_200;
    private static final int BYTES_OF_ROW = 400;
    private static final int BYTES_OF_ITEM = 100;

    private final Grammar grammar;
    private final Map<List<Item>, ParseState> starts = new HashMap<>();
    private int made;
    private volatile int remembered;
    private volatile long rowBytes;

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
                rowBytes = 0;
            }
            WorkLimit.spend(kernel.size());
            known = ParseState.start(new Closure(grammar, made++).of(kernel));
            starts.put(List.copyOf(kernel), known);
            rowBytes += bytes(known, kernel.size());
        }
        return known;
    }

    private static long bytes(ParseState state, int kernel) {
        long items = kernel;
        if (state.row() != null) {
            for (var terminal : state.row().terminals()) {
                items += 1 + terminal.after().size();
            }
        }
        return BYTES_OF_ROW + items * BYTES_OF_ITEM;
    }

    /// Whether one more step may be kept for the next text.
    synchronized boolean mayRemember() {
        if (remembered >= REMEMBERED_MAX) {
            return false;
        }
        remembered++;
        return true;
    }

    /// Memory that it takes, about.
    long bytes() {
        return rowBytes + (long) remembered * BYTES_OF_STATE;
    }
}
