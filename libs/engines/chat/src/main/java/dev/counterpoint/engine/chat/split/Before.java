package dev.counterpoint.engine.chat.split;

/// What stands before a mark.
///
/// @param lineStart whether it begins its line, or follows another mark
/// @param blank whether a blank stands between it and the text of its line
/// @param last the last character that is no blank
/// @param word the last word, in small letters
/// @param alone whether nothing but one character stands before it in its line
/// @param code whether it stands in code
record Before(boolean lineStart, boolean blank, char last, String word, boolean alone, boolean code) {
    /// Whether a quote begins right before it.
    boolean opensQuote() {
        return !blank && (last == '`' || word.length() == 1 && "\"'\u201c\u2018\u201e\u00ab".indexOf(last) >= 0);
    }

    /// Follows the text that is before the next mark. Not thread-safe.
    static final class Tracker {
        private static final int WORD_MAX = 12;

        private final CodeTracker code = new CodeTracker();
        private final StringBuilder word = new StringBuilder();
        private boolean wordOver = true;
        private boolean lineStart = true;
        private boolean alone;
        private boolean blank;
        private char last = '\n';

        void words(String text) {
            code.accept(text);
            for (int i = 0; i < text.length(); i++) {
                accept(text.charAt(i));
            }
        }

        private void accept(char c) {
            if (Character.isWhitespace(c)) {
                lineStart |= c == '\n';
                blank = true;
                wordOver = true;
                return;
            }
            if (wordOver || word.length() > WORD_MAX) {
                word.setLength(0);
            }
            wordOver = false;
            word.append(Character.toLowerCase(c));
            alone = lineStart;
            lineStart = false;
            blank = false;
            last = c;
        }

        void mark() {
            lineStart = true;
            blank = false;
            last = '\n';
            word.setLength(0);
        }

        /// The text goes over from reasoning to answer, or back.
        void change() {
            code.reset();
        }

        Before here() {
            return new Before(lineStart, blank, last, word.toString(), alone && !lineStart, code.inCode());
        }
    }
}
