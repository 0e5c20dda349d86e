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
    private final int vocabularySize;
    /// Made when it is first wanted: who only looks ahead seldom asks.
    private @Nullable TokenBits bits;

    private boolean known;
    private boolean tooComplex;

    TurnMask(Constraint constraint) {
        this(constraint.start(), constraint.vocabulary().size());
    }

    private TurnMask(Matcher matcher, int vocabularySize) {
        this.matcher = matcher;
        this.vocabularySize = vocabularySize;
    }

    @Override
    public long[] allowed() {
        var set = bits == null ? new TokenBits(vocabularySize) : bits;
        bits = set;
        if (!known && !tooComplex) {
            try {
                matcher.mask(set);
                known = true;
            } catch (TooComplexException _) {
                tooComplex = true;
            }
        }
        // What nobody could check must not be said.
        return tooComplex ? NOTHING : set.words();
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
        known = false;
    }

    @Override
    public void cancel() {
        matcher.cancel();
    }

    @Override
    public TokenMask ahead() {
        return new TurnMask(matcher.copy(), vocabularySize);
    }
}
