package dev.counterpoint.worker.engine.remote;

import dev.counterpoint.worker.engine.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one event of a server brought.
///
/// @param tokens new ones, in order
/// @param stopToken the token that ended the output, where the server names it; it may be the last of
///     the tokens too
record Chunk(
        List<Step.Token> tokens, Finish finish, @Nullable Integer stopToken) {
    static final Chunk NOTHING = new Chunk(List.of(), Finish.NONE, null);

    /// Whether and why the server is done.
    enum Finish {
        NONE,
        /// A stop token, of ours or of its own.
        STOP,
        /// As many tokens as were asked for, or as its context holds.
        LENGTH
    }

    Chunk(List<Step.Token> tokens, Finish finish) {
        this(tokens, finish, null);
    }
}
