package dev.counterpoint.summarizer.judge;

/// The rule that a written part breaks. A described part then takes its place.
public enum PartRefusal {
    /// No short title with one to three sentences of Latin letters and plain punctuation.
    FORM,
    /// A digit that the user did not write.
    DIGITS,
    /// A word that is neither the user's nor in the language's list.
    WORDS,
    /// A word of a confidential text, or a word of the reasoning that is not common.
    GUARDED,
    /// Five words in a row of a confidential text or of the reasoning.
    RUNS,
    /// A guarded word that is hidden: backwards, in two pieces, or in the first or last letters of words.
    HIDDEN
}
