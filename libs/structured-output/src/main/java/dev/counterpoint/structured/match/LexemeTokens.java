package dev.counterpoint.structured.match;

import dev.counterpoint.structured.vocabulary.TokenSet;

/// What a terminal allows from a state in its middle, whatever comes after the terminal.
///
/// @param inside the tokens that stay in it
/// @param crossings what is left of the tokens in which it may end, from where it ends on
record LexemeTokens(TokenSet inside, CrossingTrie crossings) {
    /// Memory that it takes, about.
    int bytes() {
        return 64 + inside.bytes();
    }
}
