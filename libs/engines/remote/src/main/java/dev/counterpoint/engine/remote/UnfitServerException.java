package dev.counterpoint.engine.remote;

/// A server cannot serve as it is set up. The message names what is wrong, for its operator, and holds no content.
final class UnfitServerException extends Exception {
    private static final long serialVersionUID = 1;

    UnfitServerException(String message) {
        super(message);
    }
}
