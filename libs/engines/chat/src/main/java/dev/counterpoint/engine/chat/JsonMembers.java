package dev.counterpoint.engine.chat;

import org.jspecify.annotations.Nullable;

/// Reads one JSON object character by character and hands the values of its members on as they come: a
/// string decoded, anything else as written. Line breaks in strings are taken, because models write
/// them. Not thread-safe.
final class JsonMembers {
    /// Hears of the members as they come.
    interface Listener {
        /// @param string whether the value is one
        void begun(String member, boolean string);

        /// More of the member that has begun.
        void value(String text);

        void ended();
    }

    private enum At {
        OBJECT,
        KEY_OR_END,
        KEY,
        COLON,
        VALUE,
        STRING,
        OTHER,
        COMMA_OR_END,
        END,
        BROKEN
    }

    /// A name longer than this breaks it.
    private static final int NAME_CHARACTERS_MAX = 256;

    /// Values nest so deep at most.
    private static final int DEPTH_MAX = 64;

    private final Listener listener;
    private final StringBuilder name = new StringBuilder();
    private final StringBuilder decoded = new StringBuilder();
    private final StringBuilder escape = new StringBuilder();
    private final StringBuilder brackets = new StringBuilder();
    private At at = At.OBJECT;
    private boolean inString;
    private boolean escaped;
    private boolean commaBefore;

    JsonMembers(Listener listener) {
        this.listener = listener;
    }

    /// Takes more text, as far as the object goes.
    ///
    /// @return the text that was not taken: the text after the object, or from where the text is no JSON
    String accept(String text) {
        int i = 0;
        while (i < text.length() && at != At.END && at != At.BROKEN) {
            take(text.charAt(i));
            i += at == At.BROKEN ? 0 : 1;
        }
        flush();
        return text.substring(i);
    }

    /// True if the object is whole.
    boolean ended() {
        return at == At.END;
    }

    /// True if this is no JSON.
    boolean broken() {
        return at == At.BROKEN;
    }

    private void take(char c) {
        switch (at) {
            case OBJECT -> expect(c, c == '{' ? At.KEY_OR_END : null);
            case KEY_OR_END -> {
                if (c == '"') {
                    name.setLength(0);
                    at = At.KEY;
                } else {
                    expect(c, c == '}' && !commaBefore ? At.END : null);
                }
            }
            case KEY -> key(c);
            case COLON -> expect(c, c == ':' ? At.VALUE : null);
            case VALUE -> begin(c);
            case STRING -> string(c);
            case OTHER -> other(c);
            case COMMA_OR_END -> next(c);
            case END, BROKEN -> {}
        }
    }

    /// @param next null unless the character is right here; blanks always are
    private void expect(char c, @Nullable At next) {
        if (next != null) {
            at = next;
        } else if (!blank(c)) {
            at = At.BROKEN;
        }
    }

    private void next(char c) {
        commaBefore = c == ',';
        expect(c, c == ',' ? At.KEY_OR_END : c == '}' ? At.END : null);
    }

    private void key(char c) {
        if (escaping(c, name)) {
            return;
        }
        if (c == '"') {
            at = At.COLON;
        } else if (name.length() == NAME_CHARACTERS_MAX) {
            at = At.BROKEN;
        } else {
            name.append(c);
        }
    }

    private void begin(char c) {
        if (blank(c)) {
            return;
        }
        if (",:}]".indexOf(c) >= 0) {
            at = At.BROKEN;
            return;
        }
        listener.begun(name.toString(), c == '"');
        if (c == '"') {
            at = At.STRING;
        } else {
            at = At.OTHER;
            other(c);
        }
    }

    private void string(char c) {
        if (escaping(c, decoded)) {
            return;
        }
        if (c == '"') {
            end();
        } else {
            decoded.append(c);
        }
    }

    private void other(char c) {
        if (!inString && brackets.isEmpty() && (c == ',' || c == '}')) {
            end();
            next(c);
            return;
        }
        decoded.append(c);
        if (inString) {
            inString = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if (c == '"') {
            inString = true;
        } else {
            nest(c);
        }
    }

    private void nest(char c) {
        switch (c) {
            case '{' -> brackets.append('}');
            case '[' -> brackets.append(']');
            case '}', ']' -> {
                int last = brackets.length() - 1;
                if (last < 0 || brackets.charAt(last) != c) {
                    at = At.BROKEN;
                } else {
                    brackets.setLength(last);
                }
            }
            default -> {}
        }
        if (brackets.length() > DEPTH_MAX) {
            at = At.BROKEN;
        }
    }

    /// @return whether the character belongs to an escape
    private boolean escaping(char c, StringBuilder to) {
        if (escape.isEmpty()) {
            if (c == '\\') {
                escape.append(c);
                return true;
            }
            return false;
        }
        escape.append(c);
        if (escape.charAt(1) == 'u') {
            if (escape.length() > 2 && Character.digit(c, 16) < 0) {
                at = At.BROKEN;
            } else if (escape.length() == 6) {
                to.append((char) Integer.parseInt(escape, 2, 6, 16));
                escape.setLength(0);
            }
            return true;
        }
        int which = "\"\\/bfnrt".indexOf(c);
        if (which < 0) {
            at = At.BROKEN;
        } else {
            to.append("\"\\/\b\f\n\r\t".charAt(which));
            escape.setLength(0);
        }
        return true;
    }

    private void end() {
        flush();
        listener.ended();
        at = At.COMMA_OR_END;
    }

    private void flush() {
        if (!decoded.isEmpty()) {
            listener.value(decoded.toString());
            decoded.setLength(0);
        }
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
