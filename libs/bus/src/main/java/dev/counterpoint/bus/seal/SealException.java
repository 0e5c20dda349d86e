package dev.counterpoint.bus.seal;

/// Something could not be sealed or opened. The text names what, never its content.
public sealed class SealException extends RuntimeException permits DamagedKeysException {
    private static final long serialVersionUID = 1;

    public SealException(String message) {
        super(message);
    }
}
