package dev.counterpoint.structured.match;

import dev.counterpoint.structured.grammar.Grammar;
import dev.counterpoint.structured.regex.RegexPool;
import dev.counterpoint.structured.vocabulary.TokenBits;
import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import dev.counterpoint.structured.vocabulary.TokenVocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A grammar over the tokens of a model. Sequences share it, and what it finds out serves all. Thread-safe.
public final class Constraint {
    private final LexemeIndex lexemes;
    private final Grammar grammar;
    private final RowTable rows;
    private final ParseState start;
    /// Made when it is first wanted.
    private volatile @Nullable RuleCosts costs;

    /// @param lexemes of the model's vocabulary
    public Constraint(Grammar grammar, LexemeIndex lexemes) {
        this.lexemes = lexemes;
        this.grammar = grammar;
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

    Grammar grammar() {
        return grammar;
    }

    /// The pool of the grammar's expressions.
    RegexPool regexes() {
        var row = start.row();
        return row == null || row.terminals().isEmpty()
                ? RegexPool.shared()
                : row.terminals().getFirst().regex().pool();
    }

    /// Memory that it takes by itself, about. It grows while the constraint is used, to some megabytes where its
    /// grammar
    /// is large.
    public long bytes() {
        return rows.bytes();
    }

    /// Racing threads make the same.
    RuleCosts costs() {
        var made = costs;
        if (made == null) {
            made = new RuleCosts(grammar);
            costs = made;
        }
        return made;
    }

    RowTable rows() {
        return rows;
    }

    /// Adds the tokens that may come in a state.
    void addTokens(ParseState state, TokenBits bits) {
        var trie = vocabulary().trie();
        if (state.row() != null) {
            from(state.row(), trie).addTo(bits);
        }
        for (var thread : state.threads()) {
            var tokens = lexemes.of(trie, thread.state());
            tokens.inside().addTo(bits);
            for (var ends : tokens.crossings()) {
                after(thread.terminal(), ends).addTo(bits);
            }
        }
    }

    /// The tokens of a trie whose texts may start at a row.
    private TokenSet from(Row row, TokenTrie trie) {
        return lexemes.tokens(new LexemeIndex.Place(trie, row), () -> {
            var parts = new ArrayList<TokenSet>();
            for (var terminal : row.terminals()) {
                var tokens = lexemes.of(trie, terminal.regex());
                addIfAny(tokens.inside(), parts);
                for (var ends : tokens.crossings()) {
                    addIfAny(after(terminal, ends), parts);
                }
            }
            return parts.isEmpty()
                    ? TokenSet.NONE
                    : TokenSet.union(parts, vocabulary().size());
        });
    }

    private static void addIfAny(TokenSet tokens, List<TokenSet> parts) {
        if (tokens != TokenSet.NONE) {
            parts.add(tokens);
        }
    }

    /// The tokens that go on after a terminal: each time one ends, less is left of their texts.
    private TokenSet after(Terminal terminal, TokenTrie ends) {
        return from(Objects.requireNonNull(rows.after(terminal.after()).row()), ends);
    }
}
