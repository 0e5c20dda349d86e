package dev.counterpoint.engine.llama;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256, as every JDK has it. Thread-safe.
final class Sha256 {
    private Sha256() {}

    /// @param expected in hexadecimal digits
    static void check(Path file, String expected) throws IOException {
        var actual = of(file);
        if (!actual.equals(expected)) {
            throw new IOException(
                    file.getFileName() + " has SHA-256 " + actual + " instead of " + expected + "; it is not used");
        }
    }

    static String of(Path file) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
