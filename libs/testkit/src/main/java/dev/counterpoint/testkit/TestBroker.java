package dev.counterpoint.testkit;

import dev.counterpoint.infra.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The administrator of every broker of the tests, by an account that all their processes know.
final class TestBroker {
    static final String ADMIN_PASSWORD = "admin-of-the-tests";

    private TestBroker() {}

    /// The argument that tells the embedded broker.
    static String passwordArgument() {
        Path file = ScratchFolder.folder("kafka-admin").resolve("password");
        try {
            Files.writeString(file, ADMIN_PASSWORD);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return "--admin-password-file=" + file;
    }
}
