package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.TokenMask;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The tokens that a mask allows, in a form that a server takes.
sealed interface MaskRule {
    /// Tokens that a request may name one by one.
    int ONLY_MAX = 256;

    /// The forbidden tokens that make a mask one of few.
    int BANNED_MAX = 2048;
    /// Of these, the ones that a request names: a server may take 1,024 biases at most, with the caller's.
    int TOLD_MAX = 128;

    record Everything() implements MaskRule {}

    record Nothing() implements MaskRule {}

    /// No server need be asked.
    record One(int token) implements MaskRule {}

    record Only(Set<Integer> tokens) implements MaskRule {}

    /// @param tokens that a request names: the first ones by id, which are the named control tokens
    /// @param all whether these are all; else a server learns of the others only when it says one
    record AllBut(Set<Integer> tokens, boolean all) implements MaskRule {}

    /// Allows thousands and forbids thousands: a server learns of it only when it says a wrong token.
    record Unsayable() implements MaskRule {}

    static MaskRule of(long @Nullable [] allowed, int vocabularySize) {
        if (allowed == null) {
            return new Everything();
        }
        int count = (int) where(allowed, vocabularySize, true).count();
        if (count == 0) {
            return new Nothing();
        }
        if (count == 1) {
            return new One(where(allowed, vocabularySize, true).findFirst().getAsInt());
        }
        if (count == vocabularySize) {
            return new Everything();
        }
        if (count <= ONLY_MAX) {
            return new Only(where(allowed, vocabularySize, true).boxed().collect(Collectors.toUnmodifiableSet()));
        }
        if (vocabularySize - count <= BANNED_MAX) {
            var told = where(allowed, vocabularySize, false).limit(TOLD_MAX).boxed();
            return new AllBut(told.collect(Collectors.toUnmodifiableSet()), vocabularySize - count <= TOLD_MAX);
        }
        return new Unsayable();
    }

    private static IntStream where(long[] allowed, int vocabularySize, boolean value) {
        return IntStream.range(0, vocabularySize).filter(token -> TokenMask.allows(allowed, token) == value);
    }
}
