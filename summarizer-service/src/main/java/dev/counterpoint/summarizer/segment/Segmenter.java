package dev.counterpoint.summarizer.segment;

import java.util.Set;
import java.util.function.Consumer;

/// Cuts text into sentences, one character at a time, so that the pieces it comes in cannot matter.
///
/// Quotations are never cut; code, markup and key blocks are never kept. Holds at most [#ENCLOSED_MAX]
/// characters and does constant work for each. Not thread-safe.
public final class Segmenter {
    /// Characters of a sentence; a longer one is given up.
    static final int SENTENCE_MAX = 1_200;
    /// Characters of a sentence with quotations in it.
    static final int ENCLOSED_MAX = 4_000;

    private static final char END = '\0';
    private static final Set<String> ABBREVIATIONS = Set.of(
            "e.g", "i.e", "etc", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "no", "fig", "eq", "approx", "ca", "cf",
            "al", "inc", "jr", "sr", "dept");

    private final Consumer<Segment> out;
    private final Enclosures enclosures = new Enclosures();
    private final StringBuilder text = new StringBuilder();
    private boolean intact = true;
    private boolean startsParagraph = true;
    /// The character that waits for its successor; `END` when there is none.
    private char held = END;
    private char previous = END;
    /// The last character that is neither white nor closes something.
    private char lastSolid = END;
    private int newlines;

    public Segmenter(Consumer<Segment> out) {
        this.out = out;
    }

    public void accept(String piece) {
        for (int i = 0; i < piece.length(); i++) {
            char next = piece.charAt(i);
            // The sentinel is not text; a control character of another kind is refused later.
            next = next == END ? '\u0001' : next;
            if (held != END) {
                step(held, next);
                previous = held;
            }
            held = next;
        }
    }

    /// The text is over: what is open stays unclosed, and its sentence is given up.
    public void end() {
        if (held != END) {
            step(held, END);
        }
        intact &= !enclosures.open();
        emit();
        enclosures.reset();
        held = END;
        previous = END;
        startsParagraph = true;
        newlines = 0;
    }

    private void step(char c, char next) {
        var effect = enclosures.accept(previous, c, next);
        intact &= effect == Enclosures.Effect.NONE;
        append(c);
        if (enclosures.opaque()) {
            return;
        }
        if (effect == Enclosures.Effect.CUT) {
            emit();
            return;
        }
        if (isWhite(c)) {
            newlines += c == '\n' ? 1 : 0;
            if (!isWhite(next) && next != END) {
                afterWhite(next);
            }
        } else {
            newlines = 0;
            lastSolid = isCloser(c) ? lastSolid : c;
            if ((c == '。' || c == '！' || c == '？') && !enclosures.open()) {
                emit();
            }
        }
    }

    private void afterWhite(char next) {
        boolean blankLine = newlines > 1;
        boolean newline = newlines > 0;
        newlines = 0;
        if (blankLine) {
            intact &= !enclosures.endParagraph();
        }
        if (enclosures.open()) {
            return;
        }
        if (newline || endsSentence(next)) {
            emit();
            startsParagraph |= blankLine;
        }
    }

    private boolean endsSentence(char next) {
        if (lastSolid != '.' && lastSolid != '!' && lastSolid != '?' && lastSolid != '…'
                || Character.isLowerCase(next)) {
            return false;
        }
        return lastSolid != '.' || !intact || !endsInAbbreviation();
    }

    private boolean endsInAbbreviation() {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) != '.') {
            end--;
        }
        int start = --end;
        while (start > 0 && !isWhite(text.charAt(start - 1)) && end - start < 8) {
            start--;
        }
        if (start < 0 || end <= start) {
            return false;
        }
        var word = text.substring(start, end);
        boolean initial = word.length() == 1 && Character.isUpperCase(word.charAt(0)) && !word.equals("I");
        boolean listMarker = text.substring(0, start).isBlank()
                && word.length() <= 3
                && word.chars().allMatch(Character::isDigit);
        return initial || listMarker || ABBREVIATIONS.contains(word.toLowerCase(java.util.Locale.ROOT));
    }

    private void append(char c) {
        if (text.length() >= (enclosures.open() ? ENCLOSED_MAX : SENTENCE_MAX)) {
            intact = false;
        }
        if (intact) {
            text.append(c);
        } else {
            text.setLength(0);
        }
    }

    private void emit() {
        var sentence = text.toString().strip();
        if (!intact || !sentence.isEmpty()) {
            out.accept(new Segment(intact ? sentence : "", startsParagraph, intact));
            startsParagraph = false;
        }
        text.setLength(0);
        intact = true;
        lastSolid = END;
    }

    static boolean isWhite(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    private static boolean isCloser(char c) {
        return "\"')]*_`”’»“".indexOf(c) >= 0;
    }
}
