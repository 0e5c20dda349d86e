package dev.counterpoint.structured.lark;

import dev.counterpoint.structured.lark.LarkToken.Kind;
import dev.counterpoint.structured.regex.WorkLimit;
import java.util.ArrayList;
import java.util.List;

/// Splits a grammar into words. A line that starts with `|` continues the line before it; so do lines within
/// brackets.
final class LarkLexer {
    private static final List<String> SIGNS =
            List.of("->", "..", ":", "|", "(", ")", "[", "]", "?", "*", "+", "~", ",", ".", "{", "}", "!");

    private final String source;
    private final List<LarkToken> tokens = new ArrayList<>();
    private int position;
    private int line = 1;
    private int lineStart;
    private int brackets;

    LarkLexer(String source) {
        this.source = source.replace("\r\n", "\n");
    }

    List<LarkToken> read() {
        while (position < source.length()) {
            WorkLimit.spend(1);
            char character = source.charAt(position);
            if (character == '\n') {
                newLine();
            } else if (character == '#' || source.startsWith("//", position)) {
                position = end(source.indexOf('\n', position));
            } else if (character == ' ' || character == '\t' || character == '\r' || character == '\f') {
                position++;
            } else {
                word(character);
            }
        }
        tokens.add(new LarkToken(Kind.NEWLINE, "", line, column()));
        tokens.add(new LarkToken(Kind.END, "", line, column()));
        return tokens;
    }

    private int column() {
        return position - lineStart + 1;
    }

    private int end(int found) {
        return found < 0 ? source.length() : found;
    }

    private void newLine() {
        if (brackets == 0 && !tokens.isEmpty() && tokens.getLast().kind() != Kind.NEWLINE) {
            tokens.add(new LarkToken(Kind.NEWLINE, "", line, column()));
        }
        position++;
        line++;
        lineStart = position;
    }

    private void word(char character) {
        if (character == '"') {
            add(Kind.STRING, flagsEnd(quoted('"')));
        } else if (character == '/') {
            add(Kind.REGEXP, flagsEnd(quoted('/')));
        } else if (character == '%') {
            add(Kind.DIRECTIVE, nameEnd(position + 1));
        } else if (isNameStart(character)) {
            name();
        } else if (isDigit(character) || (character == '-' || character == '+') && isDigit(at(position + 1))) {
            number();
        } else {
            sign();
        }
    }

    private char at(int index) {
        return index < source.length() ? source.charAt(index) : 0;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isNameStart(char character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character == '_';
    }

    private int nameEnd(int from) {
        int end = from;
        while (isNameStart(at(end)) || isDigit(at(end))) {
            end++;
        }
        return end;
    }

    private void name() {
        int end = nameEnd(position);
        boolean terminal = source.substring(position, end).chars().noneMatch(letter -> letter >= 'a' && letter <= 'z');
        add(terminal ? Kind.TERMINAL : Kind.RULE, end);
    }

    private void number() {
        int end = position + 1;
        while (isDigit(at(end))) {
            end++;
        }
        add(Kind.NUMBER, end);
    }

    /// Behind the closing quote.
    private int quoted(char quote) {
        int end = position + 1;
        while (at(end) != quote) {
            if (end >= source.length() || at(end) == '\n') {
                throw new GrammarSyntaxException("There is no closing " + quote + ".", line, column());
            }
            end += at(end) == '\\' ? 2 : 1;
        }
        return end + 1;
    }

    private int flagsEnd(int from) {
        int end = from;
        while (at(end) >= 'a' && at(end) <= 'z') {
            end++;
        }
        return end;
    }

    private void sign() {
        for (var sign : SIGNS) {
            if (source.startsWith(sign, position)) {
                brackets += sign.equals("(") || sign.equals("[") ? 1 : sign.equals(")") || sign.equals("]") ? -1 : 0;
                brackets = Math.max(0, brackets);
                if (sign.equals("|") && !tokens.isEmpty() && tokens.getLast().kind() == Kind.NEWLINE) {
                    tokens.removeLast();
                }
                add(Kind.SIGN, position + sign.length());
                return;
            }
        }
        throw new GrammarSyntaxException("This character is not expected here.", line, column());
    }

    private void add(Kind kind, int end) {
        tokens.add(new LarkToken(kind, source.substring(position, end), line, column()));
        position = end;
    }
}
