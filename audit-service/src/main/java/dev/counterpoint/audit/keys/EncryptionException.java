package dev.counterpoint.audit.keys;

/// Encrypted data does not open: the data was altered or moved, or a key is wrong or missing. The message holds no
/// content.
public final class EncryptionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public EncryptionException(String message) {
        super(message);
    }
}
