package dev.counterpoint.engine;

/// What takes the tokens of one generation as its engine makes them. The engine's own threads call it, one call at a
/// time; no call may block or throw.
public interface TokenSink {
    /// False lets the generation wait, which costs the others nothing, until [Generation#wake].
    boolean hasRoom();

    /// How many tokens at the beginning of the prompt needed no work, because the work of an earlier sequence was
    /// used again; usually called before the first token. Not called where nothing was reused or the engine does
    /// not know.
    default void cached(int tokens) {
        // Most do not count them.
    }

    /// A server is asked once more for the same output: an engine may need several requests.
    ///
    /// @param tokens of that prompt
    default void prompted(int tokens) {
        // Most do not count them.
    }

    /// The next token. A few may come while there is no room: those that came together.
    void token(Step.Token token);

    /// The tokens up to here came together, and nothing more lies ready.
    default void flush() {
        // Most take tokens one by one.
    }

    /// The end: nothing more comes. An engine that breaks says so by [StopReason#FAILED].
    void stopped(Step.Stopped end);
}
