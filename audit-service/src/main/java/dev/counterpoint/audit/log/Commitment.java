package dev.counterpoint.audit.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/// What a leaf says of a row: SHA-256 of a salt and of the row's text. Who has neither salt nor text learns nothing
/// from it, and who changes the text needs another leaf.
final class Commitment {
    private static final int SALT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Commitment() {}

    static byte[] newSalt() {
        var salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return salt;
    }

    static byte[] to(byte[] salt, String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
