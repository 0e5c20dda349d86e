package dev.counterpoint.servicekit;

/// A part of the suite that the service needs is away; trying again shortly makes sense. Becomes a 503.
public abstract class OutageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    protected OutageException(String message) {
        super(message);
    }
}
