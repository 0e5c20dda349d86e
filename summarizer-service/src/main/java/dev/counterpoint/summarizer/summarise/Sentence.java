package dev.counterpoint.summarizer.summarise;

/// A released piece of a summary; the texts of a part, one after the other, are Markdown.
///
/// @param opensPart whether it begins a new summary part: then `text` starts with the heading as
///     `**Heading**\n\n`, followed by the sentence; otherwise `text` starts with the blank that parts it from
///     the sentence before
public record Sentence(boolean opensPart, String text) {}
