package dev.counterpoint.structured.export;

import java.util.Set;

/// How a server writes grammars.
///
/// @param firstSpecial id of the token that [dev.counterpoint.structured.vocabulary.TokenVocabulary#special] has at 0
/// @param ends tokens that the server takes for the end of a text and never for a part of it
public record GrammarDialect(Notation notation, int firstSpecial, Set<Integer> ends) {
    /// The spelling of rules.
    public enum Notation {
        /// llama.cpp's GBNF with literals of tokens, `<[id]>`: since December 2025.
        GBNF,
        /// XGrammar's EBNF with `Token(id)`: 0.2.
        XGRAMMAR
    }

    public GrammarDialect {
        ends = Set.copyOf(ends);
    }
}
