package dev.counterpoint.harmony;

/// Tokens broke the format under {@link ParserMode#STRICT} or {@link ParserMode#LENIENT}; worded as in the reference.
/// The message quotes the header, so it does not belong into a log of production.
public final class HarmonyFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HarmonyFormatException(String message) {
        super(message);
    }

    HarmonyFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
