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
    private final DistinctKeys keys;
    private boolean known;
    private boolean tooComplex;

    TurnMask(Constraint constraint, TurnRules rules) {
        matcher = constraint.start();
        keys = new DistinctKeys(rules);
        bits = new TokenBits(constraint.vocabulary().size());
    }

    @Override
    public long[] allowed() {
        if (!known && !tooComplex) {
            try {
                matcher.mask(bits);
                keys.narrow(bits);
                known = true;
            } catch (TooComplexException _) {
                tooComplex = true;
            }
        }
        // Unchecked output must not be generated.
        return tooComplex ? NOTHING : bits.words();
    }

    @Override
    public void accept(int token) {
        try {
            if (!matcher.accept(token)) {
                throw new IllegalArgumentException("a token that the turn's grammar does not allow");
            }
        } catch (TooComplexException _) {
            tooComplex = true;
        }
        keys.accept(token);
        known = false;
    }

    @Override
    public void cancel() {
        matcher.cancel();
    }

    @Override
    public int @Nullable [] ending() {
        var text = matcher.ending();
        return text == null ? null : TurnGrammar.tokens(text);
    }
}
