package dev.counterpoint.engine.testkit;

import dev.counterpoint.engine.TokenMask;

/// A mask that allows one output only, token by token.
public final class ForcedTokens implements TokenMask {
    private final int[] tokens;
    private int accepted;

    public ForcedTokens(int... tokens) {
        this.tokens = tokens.clone();
    }

    @Override
    public long[] allowed() {
        if (accepted == tokens.length) {
            return new long[0];
        }
        var allowed = new long[(tokens[accepted] >> 6) + 1];
        allowed[tokens[accepted] >> 6] = 1L << tokens[accepted];
        return allowed;
    }

    @Override
    public void accept(int token) {
        if (accepted == tokens.length || tokens[accepted] != token) {
            throw new IllegalArgumentException("token " + token + " was not allowed at position " + accepted);
        }
        accepted++;
    }
}
