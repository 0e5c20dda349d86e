package dev.counterpoint.summarizer.judge;

/// The filters that a sentence has to pass. Each is needed: a test switches them off one by one and finds a leak.
enum Filter {
    /// No control characters, nothing invisible, no letters in disguise.
    TYPOGRAPHY,
    /// No tags, no Harmony tokens.
    MARKUP,
    /// Nothing harmful, and nothing beside it.
    HARM,
    /// Nothing about the instructions, to the reader, or out of tools.
    GUARDED,
    /// No quotations but the user's own.
    QUOTATIONS,
    /// Nothing that the confidential texts say.
    SECRETS,
    CAUTION,
    /// Some subjects only if the user brought them up.
    TOPIC,
    /// No names and numbers beside words for personal data.
    PERSONAL,
    /// Ordinary words, plain numbers and small formulas only.
    WORDS,
    /// Nothing that goes on where a withheld sentence stopped.
    SILENCE,
    /// Nothing confidential across two sentences.
    FOLLOWING,
    /// Not too much of the spelling of a confidential text.
    RESEMBLANCE
}
