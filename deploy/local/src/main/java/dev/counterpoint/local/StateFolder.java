package dev.counterpoint.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.PrivateFile;
import dev.counterpoint.infra.broker.BrokerAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The folder `deploy/local/.state` with everything that the suite keeps on this machine. Only its owner may enter.
record StateFolder(Path folder) {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    static StateFolder in(Path folder) {
        var state = new StateFolder(folder.toAbsolutePath());
        privateFolder(state.folder);
        privateFolder(state.secrets());
        privateFolder(state.logs());
        privateFolder(state.temporary());
        return state;
    }

    Path secrets() {
        return folder.resolve("secrets");
    }

    /// Tink keysets, as `libs/bus` reads them.
    Path sealingKeys() {
        return secrets().resolve("sealing");
    }

    Path brokerPassword() {
        return secrets().resolve("broker-admin-password");
    }

    /// Clients of the broker that may do everything, for the launcher alone.
    KafkaClients administrator(String bootstrap) {
        try {
            var password = Files.readString(brokerPassword(), UTF_8).strip();
            return new KafkaClients(bootstrap, BrokerAccess.administrator(password));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Lines `tenant key scope,scope` that gateways read at their start.
    Path bootstrapKeys() {
        return secrets().resolve("bootstrap-keys");
    }

    /// The key that signs staff's tokens.
    Path staffPrivateKey() {
        return secrets().resolve("staff-issuer.private");
    }

    /// The key that checks staff's tokens.
    Path staffPublicKey() {
        return secrets().resolve("staff-issuer.public");
    }

    /// Wraps all keys of the audit service.
    Path auditRootKeyset() {
        return secrets().resolve("audit-root-keyset.json");
    }

    Path auditRootPassphrase() {
        return secrets().resolve("audit-root-passphrase");
    }

    /// The time of a restored backup, where the erasures since are lost; a restore writes it.
    Path erasuresLostSince() {
        return secrets().resolve("erasures-lost-since");
    }

    /// The number of leaves up to which a restored audit log takes what it lacks from the bus; a restore writes it.
    Path logRestoredTo() {
        return secrets().resolve("log-restored-to");
    }

    Path logs() {
        return folder.resolve("logs");
    }

    Path log(String name) {
        return logs().resolve(name + ".log");
    }

    /// What services write down for a moment is nobody else's either.
    Path temporary() {
        return folder.resolve("tmp");
    }

    Path kafka() {
        return folder.resolve("kafka");
    }

    Path postgres() {
        return folder.resolve("postgres");
    }

    /// Shell exports for scripts.
    Path environment() {
        return folder.resolve("env");
    }

    Path ports() {
        return folder.resolve("ports");
    }

    /// The launcher's process id, for `down`.
    Path pid() {
        return folder.resolve("up.pid");
    }

    /// Held by the running launcher; the system lets go of it however that ends.
    Path lock() {
        return folder.resolve("up.lock");
    }

    /// There while everything is ready; holds the options of the start, one a line.
    Path ready() {
        return folder.resolve("ready");
    }

    /// The processes of the suite, for the next start after a launcher that was killed.
    Path processes() {
        return folder.resolve("processes");
    }

    private static void privateFolder(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectory(folder, PRIVATE_FOLDER);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Writes a file that only its owner can read, all of it or nothing.
    static void write(Path file, String text) {
        try {
            PrivateFile.write(file, text);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Keeps the log of the run before as `<name>.log.1`.
    void rotate(String name) {
        try {
            if (Files.exists(log(name))) {
                Files.move(log(name), logs().resolve(name + ".log.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            // Logs hold no prompts and no keys, and are still nobody else's.
            Files.createFile(log(name), PRIVATE_FILE);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
