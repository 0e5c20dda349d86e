package dev.counterpoint.engine.gguf;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/// Characters inside JSON strings (RFC 8259, section 7), of texts that a mask has held to JSON.
final class JsonEscapes {
    private static final String SHORT = "bfnrt";
    private static final String MEANT = "\b\f\n\r\t";
    private static final int UNICODE_LENGTH = 6;

    private JsonEscapes() {}

    /// Where the character that begins here ends; beyond the text where it is not whole. An escaped high surrogate
    /// is one character with the low one behind it.
    static int end(CharSequence text, int at) {
        if (text.charAt(at) != '\\') {
            return at + 1;
        }
        if (at + 1 >= text.length() || text.charAt(at + 1) != 'u') {
            return at + 2;
        }
        int end = at + UNICODE_LENGTH;
        if (end > text.length() || !Character.isHighSurrogate(unicode(text, at))) {
            return end;
        }
        boolean alone = end < text.length() && text.charAt(end) != '\\'
                || end + 1 < text.length() && text.charAt(end + 1) != 'u';
        return alone ? end : end + UNICODE_LENGTH;
    }

    /// Appends the whole character that begins here.
    static void resolve(CharSequence text, int at, StringBuilder into) {
        char first = text.charAt(at);
        if (first != '\\') {
            into.append(first);
            return;
        }
        char kind = text.charAt(at + 1);
        if (kind == 'u') {
            for (int each = at; each < end(text, at); each += UNICODE_LENGTH) {
                into.append(unicode(text, each));
            }
        } else {
            int index = SHORT.indexOf(kind);
            into.append(index < 0 ? kind : MEANT.charAt(index));
        }
    }

    private static char unicode(CharSequence text, int at) {
        return (char) Integer.parseInt(text, at + 2, at + UNICODE_LENGTH, 16);
    }

    /// The inside of the JSON string of a text.
    static String escaped(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }
}
