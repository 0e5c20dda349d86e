package dev.counterpoint.summarizer.judge;

/// The filters that a written part has to pass, in this order. Each is needed: a test switches them off one by one and
/// finds a leak.
public enum Filter {
    /// A short title and a few sentences.
    FORM,
    /// No control characters, nothing invisible, no letters in disguise, no symbols.
    TYPOGRAPHY,
    /// Words as prose has them: one script in a word, no digits, capitals only at the beginning or in known names.
    SHAPE,
    /// No numbers, in whatever language they are written out.
    NUMBERS,
    /// No names but those that everybody knows.
    NAMES,
    /// Nothing about instructions, secrets, or what may not be said.
    SECRECY,
    /// Nothing that no language has for a word.
    NONSENSE,
    /// No five words in a row of the reasoning or of a confidential text.
    RUNS,
    /// No name, code, rare or secret word of the texts.
    WORDS,
    /// No telling phrase of the texts.
    PHRASES,
    /// No confidential sentence in other order.
    PARAPHRASE,
    /// None of that backwards, or with each letter replaced by another.
    DISGUISES,
    /// No word spelled out, letter by letter or by the beginnings of words.
    SPELLING,
    /// None of that across the border between two parts.
    FOLLOWING,
    /// Not too much of the spelling of a confidential text.
    RESEMBLANCE
}
