package dev.counterpoint.audit.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;

/// Root keysets for tests.
public final class TestKeysets {
    public static final String PASSPHRASE = "passphrase-canary-7f3e19";

    private TestKeysets() {}

    public static Path passphrase(Path file) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, PASSPHRASE + "\n");
    }

    public static Path create(Path file, Path passphrase) {
        try {
            RootKeyset.create(file, Passphrase.in(passphrase));
            return file;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
