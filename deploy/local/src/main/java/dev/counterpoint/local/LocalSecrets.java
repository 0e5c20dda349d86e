package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.access.ProvisionBus;
import dev.counterpoint.bus.seal.GenerateKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What only the owner of this machine may know. Made at the first start, the same ever after, each in a file of
/// its own.
///
/// @param apiKey shows answers and safe summaries
/// @param rawApiKey also shows raw reasoning
record LocalSecrets(String apiKey, String rawApiKey, String adminToken, String postgresPassword) {
    private static final String API_KEY = "api-key";
    private static final String RAW_API_KEY = "raw-api-key";
    private static final String ADMIN_TOKEN = "admin-token";
    private static final String POSTGRES_PASSWORD = "postgres-password";
    private static final String NEXT_POSTGRES_PASSWORD = POSTGRES_PASSWORD + ".next";
    private static final int BYTES = 32;
    /// 96 bits, and short enough to type.
    private static final int PASSWORD_CHARACTERS = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    /// Secrets that are not there, and without which the data of a suite that has run cannot be used.
    static List<Path> missing(StateFolder state) {
        return Stream.of(
                        state.secrets().resolve(POSTGRES_PASSWORD),
                        state.brokerPassword(),
                        state.auditRootPassphrase(),
                        state.auditRootKeyset())
                .filter(file -> !Files.exists(file))
                .toList();
    }

    /// Reads them; makes those that are missing, the sealing keys included.
    static LocalSecrets of(StateFolder state) {
        try {
            GenerateKeys.into(state.sealingKeys());
            ProvisionBus.accounts(state.sealingKeys());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Path folder = state.secrets();
        var secrets = new LocalSecrets(
                secret(folder, API_KEY, "cp-"),
                secret(folder, RAW_API_KEY, "cp-"),
                secret(folder, ADMIN_TOKEN, ""),
                secret(folder, POSTGRES_PASSWORD, ""));
        secret(folder, state.brokerPassword().getFileName().toString(), "");
        secret(folder, state.auditRootPassphrase().getFileName().toString(), "");
        StateFolder.write(state.bootstrapKeys(), secrets.bootstrapKeys());
        return secrets;
    }

    /// The same with a new password of the databases' superuser: made at the first call, and the same again until it is
    /// in force.
    LocalSecrets withNextPostgresPassword(StateFolder state) {
        return new LocalSecrets(apiKey, rawApiKey, adminToken, secret(state.secrets(), NEXT_POSTGRES_PASSWORD, ""));
    }

    /// The new password of the databases' superuser is in force.
    static void takeNextPostgresPassword(StateFolder state) {
        var folder = state.secrets();
        try {
            Files.move(
                    folder.resolve(NEXT_POSTGRES_PASSWORD),
                    folder.resolve(POSTGRES_PASSWORD),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String secret(Path folder, String name, String prefix) {
        Path file = folder.resolve(name);
        try {
            if (!Files.exists(file)) {
                StateFolder.write(file, prefix + random() + "\n");
            }
            return Files.readString(file, UTF_8).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// 32 random bytes as 43 characters that need no quoting anywhere.
    private static String random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String bootstrapKeys() {
        return "local " + apiKey + " reasoning:summary\n" + "local " + rawApiKey + " reasoning:summary,reasoning:raw\n";
    }

    /// The password of a role of the database. It is made from the superuser's, which it does not tell, so that a role
    /// needs no file of its own.
    String databasePassword(String role) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(postgresPassword.getBytes(UTF_8), "HmacSHA256"));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(role.getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has HmacSHA256", impossible);
        }
    }

    /// The console's secret as a client of its issuer, made in the same way.
    String consoleClientSecret() {
        return databasePassword("console client");
    }

    /// The password of the people who sign in to the console.
    String consolePassword() {
        return databasePassword("console people").substring(0, PASSWORD_CHARACTERS);
    }

    @Override
    public String toString() {
        return "Secrets[…]";
    }
}
