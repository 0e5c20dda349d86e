package dev.counterpoint.audit.keys;

/// Something that was encrypted here does not open: it was altered or moved, or a key is wrong. The text holds
/// no content.
public final class EncryptionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public EncryptionException(String message) {
        super(message);
    }
}
