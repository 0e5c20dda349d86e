package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of one event of a server.
///
/// @param tokens new ones, in order
/// @param stopToken the token that ended the output, where the server names it; it may be the last of
///     the tokens too
/// @param cached how many tokens of what it was sent the server had already, where it says so
record TokenChunk(
        List<Step.Token> tokens,
        Finish finish,
        @Nullable Integer stopToken,
        @Nullable Integer cached) {
    static TokenChunk ofCached(@Nullable Integer cached) {
        return new TokenChunk(List.of(), Finish.NONE, null, cached);
    }

    /// The reason for which the server is done, if it is.
    enum Finish {
        NONE,
        /// A stop token, of ours or of its own.
        STOP,
        /// As many tokens as were asked for, or as its context holds.
        LENGTH
    }
}
