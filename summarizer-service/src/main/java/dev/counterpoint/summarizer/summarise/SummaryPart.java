package dev.counterpoint.summarizer.summarise;

/// A part of a summary.
///
/// @param title without marks
/// @param sentence a whole sentence
public record SummaryPart(String title, String sentence) {
    private static final String MARK = "**";
    private static final String END = "**\n\n";

    /// The part of which [#text] is `text`; of any other text, one without a title.
    public static SummaryPart ofText(String text) {
        int end = text.indexOf(END, MARK.length());
        return text.startsWith(MARK) && end >= 0
                ? new SummaryPart(text.substring(MARK.length(), end), text.substring(end + END.length()))
                : new SummaryPart("", text);
    }

    /// As Markdown.
    public String text() {
        return MARK + title + END + sentence;
    }
}
