package dev.counterpoint.structured.export;

/// A grammar cannot be written down in a dialect, or not within the limits.
final class UnwritableException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnwritableException(String message) {
        super(message, null, false, false);
    }
}
