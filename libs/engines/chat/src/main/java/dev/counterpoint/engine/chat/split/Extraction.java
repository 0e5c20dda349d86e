package dev.counterpoint.engine.chat.split;

/// Separates the parts of a model's text. Not thread-safe.
public interface Extraction extends Stage {
    /// The server separates reasoning, so all text is the answer, whatever it looks like: held text, too.
    void decide();

    /// True if nothing that follows can be the answer, whatever it is.
    default boolean isOver() {
        return false;
    }
}
