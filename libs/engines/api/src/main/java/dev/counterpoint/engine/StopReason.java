package dev.counterpoint.engine;

/// The reason for which a generation ended.
public enum StopReason {
    /// The last token is one of the request's stop tokens.
    STOP_TOKEN,
    /// The output, prefix included, has `maxTokens` tokens.
    LENGTH,
    /// Prompt and output fill the engine's context.
    CONTEXT_FULL,
    /// [Generation#cancel] or a close.
    CANCELLED,
    /// The engine broke. Another attempt may do.
    FAILED,
    /// The mask allows no token: its form leads nowhere, or is too much work. Another attempt would end here too.
    NO_TOKEN,
    /// The engine's server refuses the request itself; another attempt would be refused too.
    REFUSED,
    /// As [#REFUSED]: the server says that the prompt does not fit the model's context.
    PROMPT_TOO_LONG,
    /// The engine's server refuses to serve this deployment; another attempt would be refused too.
    MISCONFIGURED,
    /// The engine's servers have too much to do, and did so for as long as a first token may take.
    BUSY,
    /// The engine's server withheld the rest of the output.
    WITHHELD
}
