package dev.counterpoint.testkit;

import dev.counterpoint.infra.ScratchFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// The administrator of every broker of the tests, by an account that all their processes know.
final class TestBroker {
    private static final String ADMIN_PASSWORD = "admin-of-the-tests";

    private static final String LOGIN =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\" password=\""
                    + ADMIN_PASSWORD + "\"";

    /// The same with what a broker has to know, to let that administrator in.
    static final String BROKER_LOGIN = LOGIN + " user_admin=\"" + ADMIN_PASSWORD + "\";";

    /// How a client becomes the administrator.
    static final Map<String, String> ADMIN =
            Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", "sasl.jaas.config", LOGIN + ";");

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
