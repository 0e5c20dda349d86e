package dev.counterpoint.tlog;

/// Log data that breaks a rule of its format, or a part of the log that is missing. The message names the rule or
/// the path, never the content of an entry.
public final class InvalidLogException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidLogException(String message) {
        super(message);
    }

    static void require(boolean kept, String rule) {
        if (!kept) {
            throw new InvalidLogException(rule);
        }
    }
}
