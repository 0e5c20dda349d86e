package dev.counterpoint.engine.chat;

import java.util.Set;

/// Reads the escapes in a JSON string as models write them: what is no escape of JSON is text, and so are
/// commands of LaTeX whose first letter makes them look like one (`\times` is no tab).
final class LooseEscapes {
    private static final Set<String> COMMANDS = Set.of(
            "nabla",
            "neq",
            "neg",
            "not",
            "notin",
            "nmid",
            "nonumber",
            "newline",
            "times",
            "text",
            "textbf",
            "textit",
            "theta",
            "tan",
            "tanh",
            "tau",
            "tfrac",
            "triangle",
            "tilde",
            "to",
            "top",
            "therefore",
            "rho",
            "right",
            "rightarrow",
            "rangle",
            "rm",
            "rfloor",
            "rceil");
    private static final int HEX_DIGITS = 4;

    private LooseEscapes() {}

    /// Reads one escape.
    ///
    /// @param from where its backslash stands
    /// @param last whether no more text comes
    /// @param to takes what it stands for
    /// @return the number of characters read; 0 when more has to come first
    static int read(CharSequence text, int from, boolean last, StringBuilder to) {
        int next = from + 1;
        if (next == text.length()) {
            return last ? literal(text, from, next, to) : 0;
        }
        return switch (text.charAt(next)) {
            case '"', '\\', '/' -> character(text.charAt(next), to);
            case 'n', 'r', 't' -> control(text, from, last, to);
            case 'b', 'f' -> rare(text, from, last, to);
            case 'u' -> hex(text, from, last, to);
            default -> literal(text, from, next + 1, to);
        };
    }

    private static int character(char c, StringBuilder to) {
        to.append(c);
        return 2;
    }

    private static int literal(CharSequence text, int from, int end, StringBuilder to) {
        to.append(text, from, end);
        return end - from;
    }

    private static int control(CharSequence text, int from, boolean last, StringBuilder to) {
        int end = from + 1;
        while (end < text.length() && Character.isLetter(text.charAt(end))) {
            end++;
        }
        var word = text.subSequence(from + 1, end).toString();
        boolean ended = last || end < text.length();
        if (ended && COMMANDS.contains(word)) {
            return literal(text, from, end, to);
        }
        if (!ended && COMMANDS.stream().anyMatch(command -> command.startsWith(word))) {
            return 0;
        }
        return character(plain(text.charAt(from + 1)), to);
    }

    /// No text has a backspace or a form feed, and much has `\begin` and `\frac`.
    private static int rare(CharSequence text, int from, boolean last, StringBuilder to) {
        int next = from + 2;
        if (next == text.length() && !last) {
            return 0;
        }
        boolean command = next < text.length() && Character.isLetter(text.charAt(next));
        return command ? literal(text, from, next, to) : character(plain(text.charAt(from + 1)), to);
    }

    private static int hex(CharSequence text, int from, boolean last, StringBuilder to) {
        int digits = 0;
        int code = 0;
        for (int i = from + 2; i < text.length() && digits < HEX_DIGITS; i++, digits++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return literal(text, from, from + 2, to);
            }
            code = code * 16 + digit;
        }
        if (digits < HEX_DIGITS) {
            return last ? literal(text, from, from + 2, to) : 0;
        }
        to.append((char) code);
        return 2 + HEX_DIGITS;
    }

    private static char plain(char escape) {
        return "\b\f\n\r\t".charAt("bfnrt".indexOf(escape));
    }
}
