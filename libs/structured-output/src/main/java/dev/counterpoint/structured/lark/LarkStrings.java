package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.text.Characters;
import dev.counterpoint.structured.text.EcmaPattern;
import dev.counterpoint.structured.text.TextPattern;
import dev.counterpoint.structured.text.UnsupportedPatternException;

/// What strings, ranges and regular expressions of a grammar stand for.
final class LarkStrings {
    private static final String ESCAPES = "abfnrtv\\\"'/0";
    private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\\"'/\0";

    private LarkStrings() {}

    static TextPattern text(LarkToken token) {
        return token.kind() == LarkToken.Kind.REGEXP ? regexp(token) : string(token);
    }

    static TextPattern range(LarkToken first, LarkToken last) {
        return TextPattern.of(Characters.range(character(first), character(last)));
    }

    private static int character(LarkToken token) {
        int end = token.text().lastIndexOf('"');
        if (token.kind() == LarkToken.Kind.STRING && token.text().length() == end + 1) {
            var text = unescaped(token, token.text().substring(1, end));
            if (text.codePointCount(0, text.length()) == 1) {
                return text.codePointAt(0);
            }
        }
        throw token.error("A range goes from one character to another.");
    }

    private static TextPattern string(LarkToken token) {
        int end = token.text().lastIndexOf('"');
        var text = unescaped(token, token.text().substring(1, end));
        return switch (token.text().substring(end + 1)) {
            case "" -> TextPattern.literal(text);
            case "i" -> TextPattern.literalIgnoringCase(text);
            default -> throw token.error("A string's only flag is i.");
        };
    }

    private static TextPattern regexp(LarkToken token) {
        int end = token.text().lastIndexOf('/');
        var flags = token.text().substring(end + 1);
        if (!flags.matches("[isul]*")) {
            throw token.error("Of the flags of regular expressions only i, s, u and l are supported.");
        }
        try {
            return EcmaPattern.parseWhole(token.text().substring(1, end), flags.contains("i"), flags.contains("s"));
        } catch (UnsupportedPatternException unsupported) {
            throw token.error(String.valueOf(unsupported.getMessage()));
        }
    }

    /// As in Python, where a backslash before any other character stands for itself.
    private static String unescaped(LarkToken token, String text) {
        var result = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character != '\\' || i + 1 == text.length()) {
                result.append(character);
                continue;
            }
            char name = text.charAt(++i);
            int at = ESCAPES.indexOf(name);
            int digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
            if (digits > 0) {
                result.appendCodePoint(hex(token, text, i + 1, digits));
                i += digits;
            } else if (at >= 0) {
                result.append(ESCAPED.charAt(at));
            } else {
                result.append('\\').append(name);
            }
        }
        return result.toString();
    }

    private static int hex(LarkToken token, String text, int from, int digits) {
        var part = text.substring(Math.min(from, text.length()), Math.min(from + digits, text.length()));
        if (!part.matches("[0-9A-Fa-f]{" + digits + "}") || Long.parseLong(part, 16) > Character.MAX_CODE_POINT) {
            throw token.error("A hexadecimal escape is malformed.");
        }
        return Integer.parseInt(part, 16);
    }
}
