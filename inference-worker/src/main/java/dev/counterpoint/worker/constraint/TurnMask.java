package dev.counterpoint.worker.constraint;

import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.structured.match.Constraint;
import dev.counterpoint.structured.match.Matcher;
import dev.counterpoint.structured.regex.TooComplexException;
import dev.counterpoint.structured.vocabulary.TokenBits;
import org.jspecify.annotations.Nullable;

/// Holds a turn to its grammar. Not thread-safe.
final class TurnMask implements TokenMask {
    private static final long[] NOTHING = {};

    private final Matcher matcher;
    private final TokenBits bits;
    private boolean known;

    TurnMask(Constraint constraint) {
        matcher = constraint.start();
        bits = new TokenBits(constraint.vocabulary().size());
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
    public int @Nullable [] ending() {
        var text = matcher.ending();
        return text == null ? null : TurnGrammar.tokens(text);
    }
}
