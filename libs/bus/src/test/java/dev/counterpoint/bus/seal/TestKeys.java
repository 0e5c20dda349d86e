package dev.counterpoint.bus.seal;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import dev.counterpoint.bus.ServiceRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// The keys of a deployment, made once for all tests.
final class TestKeys {
    private static final Path FOLDER = generated();
    private static final Map<ServiceRole, KeyRing> RINGS = new EnumMap<>(ServiceRole.class);

    static {
        for (var role : ServiceRole.values()) {
            RINGS.put(role, KeyRing.load(FOLDER, role));
        }
    }

    private TestKeys() {}

    static KeyRing of(ServiceRole role) {
        return Objects.requireNonNull(RINGS.get(role));
    }

    private static Path generated() {
        try {
            var folder = Files.createTempDirectory("keys");
            folder.toFile().deleteOnExit();
            GenerateKeys.into(folder);
            try (var files = Files.list(folder)) {
                files.forEach(file -> file.toFile().deleteOnExit());
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A copy of a folder of keys.
    static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (var file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return to;
    }

    /// Adds a key to a keyset, as one does to rotate it.
    static void addKey(Path file, String template, boolean primary) throws IOException, GeneralSecurityException {
        var fresh = KeysetHandle.generateEntryFromParametersName(template).withRandomId();
        var more = KeysetHandle.newBuilder(KeyRing.open(file))
                .addEntry(primary ? fresh.makePrimary() : fresh)
                .build();
        Files.writeString(file, TinkJsonProtoKeysetFormat.serializeKeyset(more, InsecureSecretKeyAccess.get()));
    }

    /// Writes the public half of a role's keyset anew.
    static void publish(Path folder, ServiceRole role) throws IOException, GeneralSecurityException {
        var own = KeyRing.open(folder.resolve(KeyRing.privateFile(role)));
        Files.writeString(
                folder.resolve(KeyRing.publicFile(role)),
                TinkJsonProtoKeysetFormat.serializeKeyset(own.getPublicKeysetHandle(), InsecureSecretKeyAccess.get()));
    }
}
