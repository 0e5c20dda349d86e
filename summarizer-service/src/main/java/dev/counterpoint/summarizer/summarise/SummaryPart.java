package dev.counterpoint.summarizer.summarise;

/// A part of a summary.
///
/// @param title without marks
/// @param sentence a whole sentence
public record SummaryPart(String title, String sentence) {
    /// As Markdown.
    public String text() {
        return "**" + title + "**\n\n" + sentence;
    }
}
