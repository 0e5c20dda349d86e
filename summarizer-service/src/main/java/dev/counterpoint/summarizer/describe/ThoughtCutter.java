package dev.counterpoint.summarizer.describe;

import java.util.function.ObjLongConsumer;

/// Cuts reasoning into thoughts: sentences, lines, and blocks of code, one character at a time, so the split of the
/// input has no effect. Holds at most [#LENGTH_MAX] characters. Not thread-safe.
final class ThoughtCutter {
    /// Replaces a block of code, whose words do not show the model's activity.
    static final String CODE = "```";

    /// Characters of a thought after which it ends with the word.
    private static final int LENGTH_SOFT = 1_000;
    /// Characters of a thought.
    private static final int LENGTH_MAX = 1_200;
    /// Shorter text before a full stop is a list's number or an abbreviation.
    private static final int SENTENCE_MIN = 6;
    /// So many lines of code are a thought.
    private static final int CODE_LINES = 20;

    private final ObjLongConsumer<String> out;
    private final StringBuilder thought = new StringBuilder();
    private boolean atLineStart = true;
    private boolean code;
    private int codeLines;
    private char lastSolid;
    private long offset;

    /// @param out takes each thought and the offset of its end
    ThoughtCutter(ObjLongConsumer<String> out) {
        this.out = out;
    }

    void accept(String text) {
        for (int i = 0; i < text.length(); i++) {
            offset++;
            step(text.charAt(i));
        }
    }

    void finish() {
        if (code) {
            out.accept(CODE, offset);
        } else {
            emit();
        }
        thought.setLength(0);
        code = false;
        atLineStart = true;
        lastSolid = 0;
    }

    private void step(char c) {
        if (c == '\n') {
            endLine();
            return;
        }
        boolean white = Character.isWhitespace(c) || Character.isSpaceChar(c);
        if (code) {
            if (thought.length() < LENGTH_MAX && !(white && thought.isEmpty())) {
                thought.append(c);
            }
            return;
        }
        if (white && thought.isEmpty()) {
            return;
        }
        thought.append(c);
        if (!white && "\"')]*_”’»“".indexOf(c) < 0) {
            lastSolid = c;
        }
        boolean sentence = white && ".!?…؟".indexOf(lastSolid) >= 0 && thought.length() > SENTENCE_MIN;
        boolean tooLong = thought.length() >= (white ? LENGTH_SOFT : LENGTH_MAX);
        if (sentence || tooLong || "。！？।".indexOf(c) >= 0) {
            emit();
            atLineStart = false;
        }
    }

    private void endLine() {
        boolean fence = (atLineStart || code) && thought.indexOf(CODE) == 0 && thought.indexOf(CODE, 3) < 0;
        if (code) {
            codeLines++;
            if (fence || codeLines % CODE_LINES == 0) {
                out.accept(CODE, offset);
            }
            code = !fence;
        } else if (fence) {
            code = true;
            codeLines = 0;
        } else {
            emit();
        }
        thought.setLength(0);
        lastSolid = 0;
        atLineStart = true;
    }

    private void emit() {
        if (thought.codePoints().anyMatch(Character::isLetterOrDigit)) {
            out.accept(thought.toString(), offset);
        }
        thought.setLength(0);
        lastSolid = 0;
    }
}
