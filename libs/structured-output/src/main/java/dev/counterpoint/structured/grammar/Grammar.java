package dev.counterpoint.structured.grammar;

import dev.counterpoint.structured.regex.Regex;
import java.util.List;

/// A grammar as a matcher reads it: all alternatives one after the other in one array, each ended by [#END]. Every
/// rule can be reached and matches some text; no terminal matches the empty text. Immutable.
public final class Grammar {
    /// After the last symbol of an alternative.
    public static final int END = -1;

    private static final int FIRST_TERMINAL = -2;

    private static final int FIRST_GUARD = 1 << 30;

    private final int[] symbols;
    private final int[][] alternatives;
    private final boolean[] nullable;
    private final Leaves leaves;

    /// What is not made of other symbols.
    record Leaves(List<Regex> terminals, List<Guard> guards) {
        Leaves {
            terminals = List.copyOf(terminals);
            guards = List.copyOf(guards);
        }
    }

    Grammar(int[] symbols, int[][] alternatives, boolean[] nullable, Leaves leaves) {
        this.symbols = symbols;
        this.alternatives = alternatives;
        this.nullable = nullable;
        this.leaves = leaves;
    }

    static int codeOfTerminal(int number) {
        return FIRST_TERMINAL - number;
    }

    static int codeOfGuard(int number) {
        return FIRST_GUARD + number;
    }

    /// The symbol at a position: [#END], a terminal, a guard or a rule.
    public int symbol(int position) {
        return symbols[position];
    }

    public static boolean isTerminal(int symbol) {
        return symbol <= FIRST_TERMINAL;
    }

    /// What a terminal matches.
    public Regex terminal(int symbol) {
        return leaves.terminals.get(FIRST_TERMINAL - symbol);
    }

    public static boolean isGuard(int symbol) {
        return symbol >= FIRST_GUARD;
    }

    /// The condition of a guard.
    public Guard guard(int symbol) {
        return leaves.guards.get(symbol - FIRST_GUARD);
    }

    /// Where the alternatives of a rule start.
    public int[] alternatives(int rule) {
        return alternatives[rule];
    }

    /// True if a rule matches the empty text.
    public boolean nullable(int rule) {
        return nullable[rule];
    }

    /// The number of rules; they are numbered from 0.
    public int rules() {
        return alternatives.length;
    }

    /// The rule that the whole text must match.
    public int start() {
        return 0;
    }

    /// The number of symbols of all rules together.
    public int size() {
        return symbols.length;
    }
}
