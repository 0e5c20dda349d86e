package dev.counterpoint.engine.chat.split;

/// The reason for which text waits until it is told what it is.
enum Doubt {
    NONE,
    /// No mark has told anything yet.
    BEGINNING,
    /// The reasoning has ended, unless something speaks of marks: then another one may be meant.
    CAUTIOUS,
    /// The reasoning has ended, if it was not the mention of a mark within a line that ended it.
    TIGHT,
    /// The same, and it looks like a mention.
    LOOSE,
    /// An opening mark in the answer looks like a mention.
    SPOKEN,
    /// The mark that encloses the answer has told, which is to come again at its end.
    ENCLOSED;

    /// Whether it stays open after a second thought what the text before it was, and not only what it is for.
    boolean outlastsThoughts() {
        return this == TIGHT || this == CAUTIOUS;
    }
}
