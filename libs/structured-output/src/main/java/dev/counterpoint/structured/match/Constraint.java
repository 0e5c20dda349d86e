package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;

/// A grammar over the tokens of a model. Sequences share it, and what it finds out serves all. Thread-safe.
public final class Constraint {
    private final LexemeIndex lexemes;
    private final RowTable rows;
    private final ParseState start;

    /// @param lexemes of the model's vocabulary
    public Constraint(Grammar grammar, LexemeIndex lexemes) {
        this.lexemes = lexemes;
        rows = new RowTable(grammar);
        start = rows.start();
    }

    /// The tokens that it speaks of.
    public TokenVocabulary vocabulary() {
        return lexemes.vocabulary();
    }

    /// A matcher at the start of a text.
    public Matcher start() {
        return new Matcher(this, start);
    }

    RowTable rows() {
        return rows;
    }

    /// Adds the tokens that may come in a state.
    void addTokens(ParseState state, TokenBits mask) {
        var row = state.row();
        if (row != null) {
            lexemes.tokens(row, () -> tokensAtStart(row)).addTo(mask);
        }
        for (var thread : state.threads()) {
            var tokens = lexemes.of(thread.state());
            tokens.inside().addTo(mask);
            crossing(thread.terminal(), tokens.crossings()).addTo(mask);
        }
    }

    private TokenSet tokensAtStart(Row row) {
        var terminals = row.terminals();
        if (terminals.size() == 1 && lexemes.of(terminals.getFirst().regex()).crossings() == CrossingTrie.NONE) {
            return lexemes.of(terminals.getFirst().regex()).inside();
        }
        var mask = new TokenBits(vocabulary().size());
        for (var terminal : terminals) {
            var tokens = lexemes.of(terminal.regex());
            tokens.inside().addTo(mask);
            crossing(terminal, tokens.crossings()).addTo(mask);
        }
        return TokenSet.of(mask);
    }

    private TokenSet crossing(Terminal terminal, CrossingTrie ends) {
        if (ends == CrossingTrie.NONE) {
            return TokenSet.NONE;
        }
        record Crossing(Terminal terminal, CrossingTrie ends) {}
        return lexemes.tokens(new Crossing(terminal, ends), () -> walk(rows.after(terminal.after()), ends));
    }

    private TokenSet walk(ParseState from, CrossingTrie ends) {
        var found = new TokenSet.Builder(vocabulary().size());
        var states = new ParseState[ends.depthMax() + 1];
        states[0] = from;
        int at = 0;
        while (at < ends.size()) {
            int depth = ends.depth(at);
            var state = states[depth - 1].step(ends.value(at), rows);
            if (state == null) {
                at = ends.next(at);
            } else {
                states[depth] = state;
                ends.addTokens(at, found);
                at++;
            }
        }
        return found.build();
    }
}
