package dev.counterpoint.bus.testkit;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.seal.GenerateKeys;
import dev.counterpoint.bus.seal.KeyRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// The keys of a deployment, made once for all tests of a JVM and deleted at its end. Thread-safe.
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

    /// A decision, signed by the role that may take it.
    public static Frame signed(Frame frame) {
        var role = switch (frame.kind()) {
            case FENCE -> ServiceRole.WORKER;
            case SUMMARY_END -> ServiceRole.SUMMARIZER;
            case ACCEPTED, REISSUE, OWNER_END, SUMMARY_ABANDONED, STEER -> ServiceRole.GATEWAY;
            case DELTA, SEALED_REASONING, PROGRESS, HANDOVER, END, SUMMARY, UNKNOWN ->
                throw new IllegalArgumentException("a frame of a holder has a tag");
        };
        return of(role).signatures().sign(frame);
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
