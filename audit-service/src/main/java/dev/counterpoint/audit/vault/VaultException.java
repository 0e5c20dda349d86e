package dev.counterpoint.audit.vault;

/// Something that was encrypted here does not open: it was altered or moved, or a key is wrong. The text holds
/// no content.
public final class VaultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public VaultException(String message) {
        super(message);
    }
}
