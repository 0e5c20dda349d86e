package dev.counterpoint.bus.testkit;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// The sealing keys of a deployment, made once for all tests of a JVM and deleted at its end. Thread-safe.
public final class TestKeys {
    public static final Path FOLDER = generated();
    private static final Map<ServiceRole, KeyRing> RINGS = new EnumMap<>(ServiceRole.class);

    static {
        for (var role : ServiceRole.values()) {
            RINGS.put(role, KeyRing.load(FOLDER, role));
        }
    }

    private TestKeys() {}

    public static KeyRing of(ServiceRole role) {
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
}
