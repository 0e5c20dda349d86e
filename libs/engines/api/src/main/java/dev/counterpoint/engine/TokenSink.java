package dev.counterpoint.engine;

/// What takes the tokens of one generation as its engine makes them. The engine's own threads call it, one call at a
/// time; no call blocks.
public interface TokenSink {
    /// False lets the generation wait, which costs the others nothing. A change of it wakes the engine.
    boolean hasRoom();

    /// True once nobody wants the tokens; stays so. A change of it wakes the engine.
    boolean isCancelled();

    /// How many tokens at the beginning of the prompt needed no work; said before the first token.
    default void cached(int tokens) {
        // Most do not count them.
    }

    /// The next token. At most one comes while there is no room or after a cancel.
    void token(Step.Token token);

    /// The end: nothing more comes.
    void stopped(Step.Stopped end);
}
