package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds a short text that ends the whole text from one place. It takes the cheapest alternative of each rule; where a
/// guard wants marks, the alternatives that set them come first. For one search.
final class ShortEnding {
    /// More than an alternative without a missing mark costs.
    private static final int MISSING_MARK = 1 << 12;

    private final Grammar grammar;
    private final RuleCosts costs;
    private final Map<ReturnPoint, Integer> above = new IdentityHashMap<>();
    /// Rules that are being expanded: no shortest text has one within itself.
    private final Set<Frame> open = new HashSet<>();
    private byte[] text = new byte[64];
    private int length;

    private record Frame(int rule, long marks) {}

    /// A terminal, or the rest of one, and the item behind it.
    private record Way(Regex regex, Item item) {}

    ShortEnding(Grammar grammar, RuleCosts costs) {
        this.grammar = grammar;
        this.costs = costs;
    }

    /// Null where there is none.
    byte @Nullable [] of(ParseState state) {
        var row = state.row();
        if (row != null && row.accepting()) {
            return new byte[0];
        }
        var ways = new ArrayList<Way>();
        for (var thread : state.threads()) {
            thread.terminal().after().forEach(item -> ways.add(new Way(thread.state(), item)));
        }
        if (row != null) {
            row.terminals()
                    .forEach(terminal -> terminal.after().forEach(item -> ways.add(new Way(terminal.regex(), item))));
        }
        ways.sort(Comparator.comparingInt(way -> RuleCosts.sum(costs.of(way.regex), costOf(way.item))));
        for (var way : ways) {
            length = 0;
            write(costs.shortest(way.regex));
            if (finish(way.item)) {
                return Arrays.copyOf(text, length);
            }
        }
        return null;
    }

    /// Writes the rest of an item's alternative, and of those that wait for its rule.
    private boolean finish(Item item) {
        if (!sequence(item.position(), item.marks())) {
            return false;
        }
        if (item.returnPoint().isEnd()) {
            return true;
        }
        int before = length;
        var waiting = item.returnPoint().waiting().stream()
                .filter(next -> costOf(next) < RuleCosts.ENDLESS)
                .sorted(Comparator.comparingInt(this::costOf))
                .toList();
        for (var next : waiting) {
            if (finish(next)) {
                return true;
            }
            length = before;
        }
        return false;
    }

    private boolean sequence(int position, long marks) {
        long set = marks;
        for (int at = position; grammar.symbol(at) != Grammar.END; at++) {
            int symbol = grammar.symbol(at);
            if (Grammar.isTerminal(symbol)) {
                write(costs.shortest(grammar.terminal(symbol)));
            } else if (Grammar.isGuard(symbol)) {
                if (!grammar.guard(symbol).passes(set)) {
                    return false;
                }
                set |= grammar.guard(symbol).added();
            } else if (!rule(symbol, grammar.symbol(at + 1) == Grammar.END ? set : 0)) {
                return false;
            }
        }
        return true;
    }

    private boolean rule(int rule, long marks) {
        var frame = new Frame(rule, marks);
        if (!open.add(frame)) {
            return false;
        }
        int before = length;
        for (int position : cheapestFirst(grammar.alternatives(rule), marks)) {
            if (sequence(position, marks)) {
                open.remove(frame);
                return true;
            }
            length = before;
        }
        open.remove(frame);
        return false;
    }

    private List<Integer> cheapestFirst(int[] positions, long marks) {
        WorkLimit.spend(positions.length);
        return Arrays.stream(positions)
                .boxed()
                .sorted(Comparator.comparingInt(position -> cost(position, marks)))
                .toList();
    }

    private int costOf(Item item) {
        return RuleCosts.sum(cost(item.position(), item.marks()), above(item.returnPoint()));
    }

    private int above(ReturnPoint point) {
        if (point.isEnd()) {
            return 0;
        }
        var known = above.putIfAbsent(point, RuleCosts.ENDLESS);
        if (known != null) {
            return known;
        }
        WorkLimit.spend(1);
        int least = point.waiting().stream().mapToInt(this::costOf).min().orElse(RuleCosts.ENDLESS);
        above.put(point, least);
        return least;
    }

    /// The rest of an alternative, with a price for each mark that a guard will miss behind it.
    private int cost(int position, long marks) {
        int cost = 0;
        long set = marks;
        long wanted = 0;
        for (int at = position; grammar.symbol(at) != Grammar.END; at++) {
            int symbol = grammar.symbol(at);
            if (Grammar.isGuard(symbol)) {
                if (!grammar.guard(symbol).passes(set)) {
                    return RuleCosts.ENDLESS;
                }
                set |= grammar.guard(symbol).added();
            } else {
                cost = RuleCosts.sum(cost, costs.of(symbol));
                wanted =
                        !Grammar.isTerminal(symbol) && grammar.symbol(at + 1) == Grammar.END ? costs.wanted(symbol) : 0;
            }
        }
        return RuleCosts.sum(cost, MISSING_MARK * Long.bitCount(wanted & ~set));
    }

    private void write(byte[] more) {
        if (text.length < length + more.length) {
            text = Arrays.copyOf(text, 2 * (length + more.length));
        }
        System.arraycopy(more, 0, text, length, more.length);
        length += more.length;
    }
}
