package dev.counterpoint.audit.keys;

import com.google.crypto.tink.subtle.AesGcmJce;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/// The unwrapped key of one subject's records of one month. A key is unwrapped for one record and never kept, so that a
/// deleted key is gone at once. Thread-safe.
public final class DataKey {
    private final String id;
    private final AesGcmJce cipher;

    /// Clears `key`.
    DataKey(String id, byte[] key) {
        this.id = id;
        try {
            cipher = new AesGcmJce(key);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("the data key " + id + " is no AES-256 key");
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    public String id() {
        return id;
    }

    /// @param associatedData the row that the content belongs to; must hold [#id()], since AES-GCM does not commit
    ///     to its key
    public byte[] encrypt(byte[] content, byte[] associatedData) {
        try {
            return cipher.encrypt(content, associatedData);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("encrypting content failed");
        }
    }

    /// @throws EncryptionException when the content or the associated data was altered
    public byte[] decrypt(byte[] encrypted, byte[] associatedData) {
        try {
            return cipher.decrypt(encrypted, associatedData);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("content does not open with the data key " + id);
        }
    }
}
