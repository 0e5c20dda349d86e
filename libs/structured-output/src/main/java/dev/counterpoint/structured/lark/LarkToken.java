package dev.counterpoint.structured.lark;

/// A word of a grammar.
///
/// @param text as it stands there, quotes and flags included
/// @param line from 1
/// @param column from 1
record LarkToken(Kind kind, String text, int line, int column) {
    enum Kind {
        RULE,
        TERMINAL,
        STRING,
        REGEXP,
        NUMBER,
        DIRECTIVE,
        SIGN,
        NEWLINE,
        END
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    GrammarSyntaxException error(String message) {
        return new GrammarSyntaxException(message, line, column);
    }
}
