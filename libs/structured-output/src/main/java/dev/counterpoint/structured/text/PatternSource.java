package dev.counterpoint.structured.text;

/// A pattern that is read character by character.
final class PatternSource {
    /// Instead of a character: there is none left.
    static final int NONE = -1;

    private final int[] codePoints;
    private int position;

    PatternSource(String source) {
        codePoints = source.codePoints().toArray();
    }

    int position() {
        return position;
    }

    boolean atEnd() {
        return position == codePoints.length;
    }

    int peek() {
        return peek(0);
    }

    int peek(int distance) {
        int at = position + distance;
        return at < codePoints.length ? codePoints[at] : NONE;
    }

    boolean looksAt(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (peek(i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    int next() {
        return atEnd() ? NONE : codePoints[position++];
    }

    /// Goes behind this text if it stands here.
    boolean take(String text) {
        boolean found = looksAt(text);
        if (found) {
            position += text.length();
        }
        return found;
    }

    void skip(int count) {
        position = Math.min(codePoints.length, position + count);
    }

    void goTo(int earlier) {
        position = earlier;
    }

    /// Reads until this character and goes behind it.
    String until(char end, String construct) {
        int start = position;
        var text = new StringBuilder();
        while (peek() != end) {
            if (atEnd()) {
                throw new UnsupportedPatternException(construct, start);
            }
            text.appendCodePoint(next());
        }
        position++;
        return text.toString();
    }

    static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    static boolean isLetter(int character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
    }
}
