package dev.counterpoint.summarizer.segment;

/// One sentence of reasoning, as it was written.
///
/// @param startsParagraph whether a blank line stood before it
/// @param intact `false` when it held something that cannot be judged as prose (code, markup, an unclosed
///     quotation, a run beyond the limit): then `text` is empty
public record Segment(String text, boolean startsParagraph, boolean intact) {
    @Override
    public String toString() {
        return "Segment[startsParagraph=" + startsParagraph + ", intact=" + intact + "]";
    }
}
