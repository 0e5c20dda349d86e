package dev.counterpoint.structured.lark;

/// A grammar is malformed or uses unsupported syntax. The message is for the grammar's sender.
public final class GrammarSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int line;
    private final int column;

    GrammarSyntaxException(String message, int line, int column) {
        super("Line " + line + ", column " + column + " of the grammar: " + message, null, false, false);
        this.line = line;
        this.column = column;
    }

    /// From 1.
    public int line() {
        return line;
    }

    /// From 1.
    public int column() {
        return column;
    }
}
