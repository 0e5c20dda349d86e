package dev.counterpoint.engine;

/// The notations in which servers take the grammar of an output.
public enum GrammarNotation {
    /// llama-server's.
    GBNF,
    /// That of servers that have XGrammar: vLLM, SGLang.
    XGRAMMAR
}
