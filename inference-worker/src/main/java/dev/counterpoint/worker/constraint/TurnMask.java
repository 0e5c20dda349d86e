package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.vocabulary.TokenBits;

/// Holds a turn to its grammar. Not thread-safe.
final class TurnMask implements TokenMask {
    private static final long[] NOTHING = {};

    private final Matcher matcher;
    private final TokenBits bits;
    private boolean known;

    TurnMask(Constraint constraint) {
        this(constraint.start(), constraint.vocabulary().size());
    }

    private TurnMask(Matcher matcher, int vocabularySize) {
        this.matcher = matcher;
        bits = new TokenBits(vocabularySize);
    }

    @Override
    public long[] allowed() {
        if (!known) {
            try {
                matcher.mask(bits);
            } catch (TooComplexException _) {
                // What nobody could check must not be said.
                return NOTHING;
            }
            known = true;
        }
        return bits.words();
    }

    @Override
    public void accept(int token) {
        if (!matcher.accept(token)) {
            throw new IllegalArgumentException("a token that the turn's grammar does not allow");
        }
        known = false;
    }

    @Override
    public TokenMask ahead() {
        return new TurnMask(matcher.copy(), bits.size());
    }
}
