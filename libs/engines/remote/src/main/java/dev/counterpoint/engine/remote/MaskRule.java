package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.TokenMask;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The part of a mask that a request to a server can express.
///
/// @param only the tokens that may come, where they are few; else null
/// @param banned tokens that must not come: the first ones by id, which are the named control tokens
/// @param whole whether that is the whole mask; if not, an output with another forbidden token fails
record MaskRule(@Nullable Set<Integer> only, Set<Integer> banned, boolean whole) {
    /// Tokens that a request may name one by one.
    static final int ONLY_MAX = 256;

    /// A mask that forbids more tokens is not sent, in no part.
    static final int BANNED_MAX = 2048;
    /// Of these, the ones that a request names: a server may take 1,024 biases at most, with the caller's.
    private static final int TOLD_MAX = 128;

    static MaskRule of(long @Nullable [] allowed) {
        int count = allowed == null
                ? TokenIds.VOCABULARY
                : (int) tokens(allowed, true).count();
        if (count <= ONLY_MAX) {
            return new MaskRule(set(tokens(allowed, true)), Set.of(), true);
        }
        int banned = TokenIds.VOCABULARY - count;
        int told = banned > BANNED_MAX ? 0 : Math.min(banned, TOLD_MAX);
        return new MaskRule(null, set(tokens(allowed, false).limit(told)), told == banned);
    }

    private static IntStream tokens(long @Nullable [] allowed, boolean value) {
        return IntStream.range(0, TokenIds.VOCABULARY).filter(token -> TokenMask.allows(allowed, token) == value);
    }

    private static Set<Integer> set(IntStream tokens) {
        return tokens.boxed().collect(Collectors.toUnmodifiableSet());
    }
}
