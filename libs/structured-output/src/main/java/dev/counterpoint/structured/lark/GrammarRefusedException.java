package dev.counterpoint.structured.lark;

/// A grammar that cannot be enforced. The message is for the grammar's sender: it names the reason and may quote
/// the grammar.
public final class GrammarRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GrammarRefusedException(String message) {
        super(message, null, false, false);
    }
}
