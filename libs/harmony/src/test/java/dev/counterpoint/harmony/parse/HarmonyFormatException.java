package dev.counterpoint.harmony.parse;

/// Tokens broke the format under {@link ParserMode#STRICT} or {@link ParserMode#LENIENT}; worded as in the reference.
public final class HarmonyFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HarmonyFormatException(String message) {
        super(message);
    }

    HarmonyFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
