package dev.counterpoint.structured.grammar;

/// No text at all fits a grammar.
public final class UnsatisfiableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsatisfiableException() {
        super("No text fits this grammar.", null, false, false);
    }
}
