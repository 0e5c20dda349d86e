package dev.counterpoint.engine.chat.split;

import java.util.Arrays;
import java.util.regex.Pattern;

/// How a mark may be spelled: in either case, with blanks within its brackets, and in angle brackets with
/// attributes. Immutable.
final class MarkSpelling {
    /// The text is none of it.
    static final int NO = -1;
    /// The text ends within what may become it.
    static final int PERHAPS = -2;

    private static final Pattern TAG = Pattern.compile("</?[a-z][a-z0-9_:.-]*>");
    private static final int MAY_BLANK = -1;
    private static final int BLANK = -2;
    private static final int ATTRIBUTES = -3;
    /// More blanks in one place are not within a mark.
    static final int BLANKS_MAX = 8;
    private static final int ATTRIBUTES_MAX = 200;
    private static final char TYPOGRAPHIC = '\u2019';

    /// Small letters, or one of the constants above.
    private final int[] parts;

    MarkSpelling(String mark) {
        var small = small(mark);
        boolean heading = Character.isLetter(small.charAt(0)) || "*#".indexOf(small.charAt(0)) >= 0;
        boolean tag = TAG.matcher(small).matches();
        var built = new int[2 * small.length() + 1];
        int size = 0;
        for (int i = 0; i < small.length(); i++) {
            char c = small.charAt(i);
            boolean word = isWord(small, i);
            if (i > 0 && !heading && word != isWord(small, i - 1) && c != ' ') {
                boolean beforeEnd = !word && tag;
                built[size++] = beforeEnd && c == '>' ? ATTRIBUTES : MAY_BLANK;
            } else if (i > 0 && tag && c == '/') {
                built[size++] = MAY_BLANK;
            }
            built[size++] = c == ' ' ? BLANK : c;
        }
        parts = Arrays.copyOf(built, size);
    }

    /// Letters and what stands among them; brackets and bars are none.
    private static boolean isWord(String text, int at) {
        char c = text.charAt(at);
        return Character.isLetterOrDigit(c) || "_:.- ".indexOf(c) >= 0;
    }

    static String small(String text) {
        var small = new StringBuilder(text.length());
        text.chars().forEach(c -> small.append(Character.toLowerCase((char) c)));
        return small.toString();
    }

    /// The first character, in small letters.
    char first() {
        return (char) parts[0];
    }

    /// The next one behind blanks.
    char second() {
        int at = 1;
        while (at < parts.length - 1 && parts[at] < 0) {
            at++;
        }
        return (char) parts[at];
    }

    /// @return the length of the mark that stands here, or one of the constants
    int at(CharSequence text, int from) {
        int at = from;
        for (int part : parts) {
            switch (part) {
                case MAY_BLANK -> at = afterBlanks(text, at);
                case BLANK -> {
                    int after = afterBlanks(text, at);
                    if (after == at && at < text.length()) {
                        return NO;
                    }
                    at = after;
                }
                case ATTRIBUTES -> at = afterAttributes(text, at);
                default -> {
                    if (at < text.length() && !isSame(text.charAt(at), part)) {
                        return NO;
                    }
                    at++;
                }
            }
            if (at > text.length()) {
                return PERHAPS;
            }
        }
        return at - from;
    }

    private static boolean isSame(char c, int part) {
        return Character.toLowerCase(c) == part || c == TYPOGRAPHIC && part == '\'';
    }

    private static int afterBlanks(CharSequence text, int from) {
        int at = from;
        while (at < text.length() && at - from < BLANKS_MAX && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int afterAttributes(CharSequence text, int from) {
        if (from >= text.length() || !Character.isWhitespace(text.charAt(from))) {
            return from;
        }
        int at = from;
        while (at < text.length() && at - from < ATTRIBUTES_MAX && "<>".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }
}
