package dev.counterpoint.engine.chat.family;

/// A pair of marks in a model's text. Letters count in either case; a mark in angle brackets may have
/// attributes.
///
/// @param open such as `<think>`; not empty
/// @param close such as `</think>`; not empty
public record MarkPair(String open, String close) {
    /// @throws IllegalArgumentException when one is blank
    public MarkPair {
        open = open.strip();
        close = close.strip();
        if (open.isEmpty() || close.isEmpty()) {
            throw new IllegalArgumentException("a mark is blank");
        }
    }

    /// Whether it begins with words, such as `Here is my response:` or `**Answer:**`: what may as well be a
    /// line of an answer.
    public boolean isHeading() {
        char first = open.charAt(0);
        return Character.isLetter(first) || first == '*' || first == '#';
    }

    /// Whether it consists of control tokens as text, such as `<|START_RESPONSE|>`, which stand in no answer.
    public boolean isControl() {
        return open.startsWith("<|");
    }

    boolean isSpelledAs(MarkPair other) {
        return open.equalsIgnoreCase(other.open) && close.equalsIgnoreCase(other.close);
    }
}
