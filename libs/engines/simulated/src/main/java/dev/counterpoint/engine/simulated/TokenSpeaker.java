package dev.counterpoint.engine.simulated;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Says an output, token by token. Replaying a prefix brings it to where the attempt before was. Not thread-safe.
interface TokenSpeaker {
    /// The token to say next, or -1 when none is allowed. Called once before each [#accept].
    ///
    /// @param mask the set behind `allowed`; null when a mask allows everything
    int choose(IntPredicate allowed, long @Nullable [] mask);

    void accept(int token);
}
