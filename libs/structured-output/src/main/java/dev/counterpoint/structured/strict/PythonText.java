package dev.counterpoint.structured.strict;

import com.fasterxml.jackson.databind.JsonNode;

/// Values as Python prints them, because that is how OpenAI's messages quote a schema. What is long is cut.
final class PythonText {
    private static final int CHARACTERS_MAX = 256;
    private static final int DEPTH_MAX = 8;

    private PythonText() {}

    /// As `repr` prints a string.
    static String repr(String text) {
        var out = new StringBuilder();
        repr(text, out);
        return out.toString();
    }

    /// As `repr` prints a value: `None`, `True`, `'text'`, `[1, 2]`, `{'a': 1}`.
    static String repr(JsonNode value) {
        var out = new StringBuilder();
        repr(value, out, 0);
        return out.length() <= CHARACTERS_MAX ? out.toString() : out.substring(0, CHARACTERS_MAX) + "...";
    }

    /// As `str` prints it: a string without quotes, all else as [#repr].
    static String str(JsonNode value) {
        return value.isTextual() ? cut(value.textValue()) : repr(value);
    }

    private static void repr(JsonNode value, StringBuilder out, int depth) {
        switch (value.getNodeType()) {
            case NULL, MISSING -> out.append("None");
            case BOOLEAN -> out.append(value.booleanValue() ? "True" : "False");
            case STRING -> repr(value.textValue(), out);
            case NUMBER, BINARY, POJO -> out.append(cut(value.asText()));
            case ARRAY -> array(value, out, depth);
            case OBJECT -> object(value, out, depth);
        }
    }

    private static void array(JsonNode value, StringBuilder out, int depth) {
        out.append('[');
        boolean first = true;
        for (var element : value) {
            if (isFull(out, depth)) {
                out.append("...");
                break;
            }
            out.append(first ? "" : ", ");
            repr(element, out, depth + 1);
            first = false;
        }
        out.append(']');
    }

    private static void object(JsonNode value, StringBuilder out, int depth) {
        out.append('{');
        boolean first = true;
        for (var member : value.properties()) {
            if (isFull(out, depth)) {
                out.append("...");
                break;
            }
            out.append(first ? "" : ", ");
            repr(member.getKey(), out);
            out.append(": ");
            repr(member.getValue(), out, depth + 1);
            first = false;
        }
        out.append('}');
    }

    private static boolean isFull(StringBuilder out, int depth) {
        return out.length() > CHARACTERS_MAX || depth >= DEPTH_MAX;
    }

    private static void repr(String text, StringBuilder out) {
        var shown = cut(text);
        char quote = shown.indexOf('\'') >= 0 && shown.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        shown.codePoints().forEach(point -> escape(point, quote, out));
        out.append(quote);
    }

    private static void escape(int point, char quote, StringBuilder out) {
        switch (point) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\\' -> out.append("\\\\");
            default -> {
                if (point == quote) {
                    out.append('\\').append(quote);
                } else if (isPrintable(point)) {
                    out.appendCodePoint(point);
                } else if (point < 0x100) {
                    out.append("\\x%02x".formatted(point));
                } else {
                    out.append((point < 0x1_0000 ? "\\u%04x" : "\\U%08x").formatted(point));
                }
            }
        }
    }

    private static boolean isPrintable(int point) {
        return point == ' '
                || switch (Character.getType(point)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.SPACE_SEPARATOR -> false;
                    default -> true;
                };
    }

    private static String cut(String text) {
        if (text.length() <= CHARACTERS_MAX) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(CHARACTERS_MAX - 1)) ? CHARACTERS_MAX - 1 : CHARACTERS_MAX;
        return text.substring(0, end) + "...";
    }
}
