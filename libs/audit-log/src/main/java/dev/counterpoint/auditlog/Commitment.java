package dev.counterpoint.auditlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/// The content of a leaf: SHA-256 over a salt and the text of a row. A reader without the salt and the text learns
/// nothing from the leaf. A change of the text requires another leaf.
public final class Commitment {
    private static final int SALT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Commitment() {}

    public static byte[] newSalt() {
        var salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return salt;
    }

    public static byte[] to(byte[] salt, String text) {
        var digest = sha256();
        digest.update(salt);
        return digest.digest(text.getBytes(UTF_8));
    }

    /// Of bytes that nobody guesses, such as a ciphertext.
    public static byte[] to(byte[] bytes) {
        return sha256().digest(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
