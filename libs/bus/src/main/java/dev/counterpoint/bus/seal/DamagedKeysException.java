package dev.counterpoint.bus.seal;

/// A file that should have keys has something else, or keys for another purpose.
public final class DamagedKeysException extends SealException {
    private static final long serialVersionUID = 1;

    DamagedKeysException(String message) {
        super(message);
    }
}
