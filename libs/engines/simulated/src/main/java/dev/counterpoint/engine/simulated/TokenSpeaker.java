package dev.counterpoint.engine.simulated;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Says an output, token by token. Choosing and accepting a prefix once more brings it exactly where the attempt that
/// said the prefix was. Not thread-safe.
interface TokenSpeaker {
    /// The token to say next, or -1 when none is allowed. Called once before each [#accept].
    ///
    /// @param mask the set behind `allowed` where there is one; null when (nearly) everything is allowed
    int choose(IntPredicate allowed, long @Nullable [] mask);

    /// Takes note that this token was said.
    void accept(int token);
}
