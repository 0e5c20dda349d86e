package dev.counterpoint.structured.match;

import dev.counterpoint.structured.vocabulary.TokenSet;
import dev.counterpoint.structured.vocabulary.TokenTrie;
import java.util.List;

/// What a terminal allows from a state in its middle, whatever comes after the terminal.
///
/// @param inside the tokens that stay in it
/// @param crossings what is left of the tokens in which it may end, from where it ends on; all together
record LexemeTokens(TokenSet inside, List<TokenTrie> crossings) {
    /// Memory that it takes, about; the crossings are shared.
    int bytes() {
        return 128 + inside.bytes();
    }
}
