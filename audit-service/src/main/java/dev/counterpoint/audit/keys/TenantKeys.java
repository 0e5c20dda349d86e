package dev.counterpoint.audit.keys;

import com.google.crypto.tink.subtle.AesGcmJce;
import com.google.crypto.tink.subtle.PrfHmacJce;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.spec.SecretKeySpec;

/// The two unwrapped keys of a tenant. Thread-safe.
final class TenantKeys {
    private static final int TOKEN_BYTES = 32;

    private final AesGcmJce wrapping;
    private final PrfHmacJce search;

    TenantKeys(byte[] key, byte[] searchKey) {
        try {
            wrapping = new AesGcmJce(key);
            search = new PrfHmacJce("HMACSHA256", new SecretKeySpec(searchKey, "HMAC"));
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("a tenant's key is no AES-256 key");
        }
    }

    /// The pseudonym of a subject within this tenant. Equal subjects have equal tokens; tokens of other tenants
    /// differ.
    byte[] token(DataSubject subject) {
        if (subject instanceof DataSubject.Stored(String token)) {
            return HexFormat.of().parseHex(token);
        }
        try {
            return search.compute(subject.canonical(), TOKEN_BYTES);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("HMAC is not available");
        }
    }

    byte[] seal(byte[] text, byte[] context) {
        try {
            return wrapping.encrypt(text, context);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("sealing a name failed");
        }
    }

    byte[] open(byte[] sealed, byte[] context) {
        try {
            return wrapping.decrypt(sealed, context);
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("a name does not open");
        }
    }

    byte[] wrap(byte[] dataKey, DataKeyRow row) {
        try {
            return wrapping.encrypt(dataKey, row.associatedData());
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("wrapping a data key failed");
        }
    }

    DataKey unwrap(DataKeyRow row) {
        try {
            return new DataKey(row.id, wrapping.decrypt(row.wrappedKey, row.associatedData()));
        } catch (GeneralSecurityException e) {
            throw new EncryptionException("the data key " + row.id + " does not open");
        }
    }
}
