package dev.counterpoint.engine.chat.split;

/// What stands after a mark, as far as it tells how the mark is meant. Not thread-safe.
final class Ahead {
    private static final int WORD_MAX = 12;

    private final StringBuilder text = new StringBuilder();
    private final StringBuilder word = new StringBuilder();
    private int newlines;
    private boolean blank;
    private char first;
    private boolean enough;

    /// Takes more of the text; all of it is kept.
    ///
    /// @return whether that is enough to tell
    boolean accept(String more) {
        text.append(more);
        for (int i = 0; i < more.length() && !enough; i++) {
            accept(more.charAt(i));
        }
        return enough;
    }

    private void accept(char c) {
        if (first == 0 && Character.isWhitespace(c)) {
            newlines += c == '\n' ? 1 : 0;
            blank = true;
            return;
        }
        if (first == 0) {
            first = c;
        }
        // The word counts only where a sentence may go on.
        boolean more = Character.isLetter(c) && word.length() < WORD_MAX && blank && newlines == 0;
        if (more) {
            word.append(Character.toLowerCase(c));
        }
        enough = !more || !Character.isLowerCase(first);
    }

    /// The mark that opens the answer follows.
    void answerOpens() {
        newlines = 2;
        enough = true;
    }

    String text() {
        return text.toString();
    }

    int length() {
        return text.length();
    }

    int newlines() {
        return newlines;
    }

    /// Whether a blank stands between the mark and the text.
    boolean blank() {
        return blank;
    }

    /// The first character that is no blank; 0 for none.
    char first() {
        return first;
    }

    /// The first word behind a blank, in small letters.
    String word() {
        return word.toString();
    }

    /// Whether the sentence seems to go on behind the mark.
    boolean goesOn() {
        boolean punctuation = !blank && ",.;:)!?".indexOf(first) >= 0 && first != 0;
        return newlines == 0 && (punctuation || blank && Character.isLowerCase(first));
    }
}
