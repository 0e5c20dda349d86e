package dev.counterpoint.bus.seal;

/// Something could not be sealed or opened. The text names what, never its content.
public final class SealException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SealException(String message) {
        super(message);
    }
}
