package dev.counterpoint.structured.lark;

/// A grammar that cannot be enforced. The message says why and is for whoever sent the grammar: it may quote it.
public final class GrammarRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GrammarRefusedException(String message) {
        super(message, null, false, false);
    }
}
