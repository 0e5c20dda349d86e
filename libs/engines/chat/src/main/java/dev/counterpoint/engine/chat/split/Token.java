package dev.counterpoint.engine.chat.split;

/// What a scanner reads: words, or a mark.
sealed interface Token permits Token.Words, Mark {
    /// Text without any mark.
    record Words(String text) implements Token {}
}
