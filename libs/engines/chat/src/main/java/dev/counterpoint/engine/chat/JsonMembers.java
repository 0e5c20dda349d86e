package dev.counterpoint.engine.chat;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads one JSON object as a model writes it, and hands the values of its members on as they come: a
/// string decoded, anything else as written. Not thread-safe.
///
/// Models write line breaks, backslashes ([LooseEscapes]) and quotation marks into strings without escaping
/// them. None of that ends a text early: a quotation mark ends a string only where another member, or the
/// end of the object, follows.
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
        COLON,
        VALUE,
        STRING,
        OTHER,
        COMMA_OR_END,
        END,
        BROKEN
    }

    /// Values nest so deep at most.
    private static final int DEPTH_MAX = 64;

    private static final Pattern NAME = Pattern.compile("\"([^\"\\\\]{0,256})\"");
    private static final Pattern NEXT_MEMBER = Pattern.compile("\\s*,\\s*\"[^\"\\\\\\n]{1,64}\"\\s*:");
    private static final Pattern END_OF_OBJECT = Pattern.compile("\\s*,?\\s*\\}");
    private static final Pattern NOTHING_MORE = Pattern.compile("\\s*,?\\s*\\}[\\s`]*");
    private static final Pattern LATER_END = Pattern.compile("\"\\s*,?\\s*\\}[\\s`]*\\z");

    private final Listener listener;
    private final StringBuilder unread = new StringBuilder();
    private final StringBuilder decoded = new StringBuilder();
    private final StringBuilder brackets = new StringBuilder();
    private At at = At.OBJECT;
    private boolean inString;
    private boolean escaped;
    /// No more text comes.
    private boolean last;
    /// The object seems to be over; whether it is shows with the end of the text.
    private boolean awaitsEnd;

    private boolean guessed;

    JsonMembers(Listener listener) {
        this.listener = listener;
    }

    /// Takes more text, as far as it is certain.
    void accept(String text) {
        unread.append(text);
        if (!awaitsEnd) {
            read();
        }
    }

    /// No more comes: what was doubtful is settled.
    void finish() {
        last = true;
        read();
    }

    private void read() {
        int from = 0;
        int taken = -1;
        while (taken != 0 && from < unread.length() && at != At.END && at != At.BROKEN) {
            taken = take(from);
            from += taken;
        }
        unread.delete(0, from);
        flush();
    }

    /// The text that was not taken: what comes after the object, or from where it is no JSON.
    String rest() {
        return unread.toString();
    }

    /// True if the object is whole.
    boolean ended() {
        return at == At.END;
    }

    /// True if this is no JSON.
    boolean broken() {
        return at == At.BROKEN;
    }

    /// True if a string held a quotation mark that was not escaped: where strings end was a guess since.
    boolean guessed() {
        return guessed;
    }

    /// @return the number of characters read; 0 when more has to come first
    private int take(int from) {
        char c = unread.charAt(from);
        return switch (at) {
            case OBJECT -> expect(c, c == '{' ? At.KEY_OR_END : null);
            case KEY_OR_END -> c == '"' ? key(from) : expect(c, c == '}' ? At.END : null);
            case COLON -> expect(c, c == ':' ? At.VALUE : null);
            case VALUE -> begin(c);
            case STRING -> string(c, from);
            case OTHER -> other(c);
            case COMMA_OR_END -> expect(c, c == ',' ? At.KEY_OR_END : c == '}' ? At.END : null);
            case END, BROKEN -> 0;
        };
    }

    /// @param next null unless the character is right here; blanks always are
    private int expect(char c, @Nullable At next) {
        if (next == null && !Character.isWhitespace(c)) {
            at = At.BROKEN;
            return 0;
        }
        at = next == null ? at : next;
        return 1;
    }

    private int key(int from) {
        var name = NAME.matcher(unread).region(from, unread.length());
        if (name.lookingAt()) {
            key = name.group(1);
            at = At.COLON;
            return name.end() - from;
        }
        if (!name.hitEnd()) {
            at = At.BROKEN;
        }
        return 0;
    }

    private String key = "";

    private int begin(char c) {
        if (Character.isWhitespace(c)) {
            return 1;
        }
        if (",:}]".indexOf(c) >= 0) {
            at = At.BROKEN;
            return 0;
        }
        listener.begun(key, c == '"');
        at = c == '"' ? At.STRING : At.OTHER;
        return c == '"' ? 1 : other(c);
    }

    private int string(char c, int from) {
        if (c == '\\') {
            return LooseEscapes.read(unread, from, last, decoded);
        }
        if (c != '"') {
            decoded.append(c);
            return 1;
        }
        return quote(from);
    }

    private int quote(int from) {
        var rest = unread.subSequence(from + 1, unread.length());
        if (last && rest.toString().isBlank()) {
            return end();
        }
        var member = NEXT_MEMBER.matcher(rest);
        if (member.lookingAt()) {
            return end();
        }
        boolean open = member.hitEnd();
        var bracket = END_OF_OBJECT.matcher(rest);
        if (bracket.lookingAt()) {
            return bracket(rest);
        }
        if ((open || bracket.hitEnd()) && !last) {
            return 0;
        }
        decoded.append('"');
        guessed = true;
        return 1;
    }

    /// The last closing bracket of the text closes the object, if a quotation mark stands before it.
    private int bracket(CharSequence rest) {
        if (!last) {
            awaitsEnd = !NOTHING_MORE.matcher(rest).matches();
            return 0;
        }
        if (NOTHING_MORE.matcher(rest).matches() || !LATER_END.matcher(rest).find()) {
            return end();
        }
        decoded.append('"');
        guessed = true;
        return 1;
    }

    private int other(char c) {
        if (!inString && brackets.isEmpty() && (c == ',' || c == '}')) {
            end();
            return expect(c, c == ',' ? At.KEY_OR_END : At.END);
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
        return 1;
    }

    private void nest(char c) {
        switch (c) {
            case '{' -> brackets.append('}');
            case '[' -> brackets.append(']');
            case '}', ']' -> {
                int innermost = brackets.length() - 1;
                if (innermost < 0 || brackets.charAt(innermost) != c) {
                    at = At.BROKEN;
                } else {
                    brackets.setLength(innermost);
                }
            }
            default -> {}
        }
        if (brackets.length() > DEPTH_MAX) {
            at = At.BROKEN;
        }
    }

    private int end() {
        flush();
        listener.ended();
        at = At.COMMA_OR_END;
        return 1;
    }

    private void flush() {
        if (!decoded.isEmpty()) {
            listener.value(decoded.toString());
            decoded.setLength(0);
        }
    }
}
