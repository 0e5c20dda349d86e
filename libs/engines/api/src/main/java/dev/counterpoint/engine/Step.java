package dev.counterpoint.engine;

import org.jspecify.annotations.Nullable;

/// A report of an engine to a [TokenSink].
public sealed interface Step {
    /// The next token of the output. A stop token is such a token too, followed by `Stopped(STOP_TOKEN)`.
    ///
    /// @param logprobs present exactly when the request asked for them
    record Token(int id, @Nullable TokenLogprobs logprobs) implements Step {}

    /// The end; always the last step.
    ///
    /// @param detail for operators, never holds content of the prompt or of the output; empty unless
    ///     something failed
    record Stopped(StopReason reason, String detail) implements Step {
        public Stopped(StopReason reason) {
            this(reason, "");
        }
    }
}
