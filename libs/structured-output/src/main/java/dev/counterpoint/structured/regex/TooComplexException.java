package dev.counterpoint.structured.regex;

/// A grammar needs more work or memory than its [WorkLimit] allows. The message is for whoever sent the grammar.
public final class TooComplexException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TooComplexException(String message) {
        super(message, null, false, false);
    }
}
