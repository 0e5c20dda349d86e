package dev.counterpoint.local;

import dev.counterpoint.infra.ProcessSpec;
import dev.counterpoint.infra.StartupCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Makes the root keyset of the audit service at the first start, with that service's own command.
final class RootKeysetSetup {
    private static final String COMMAND = "dev.counterpoint.audit.keys.RootKeysetCommand";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private RootKeysetSetup() {}

    /// With the audit service of this checkout.
    ///
    /// @throws IllegalStateException when that fails, with what the command said
    static void ensure(Path repository, StateFolder state) {
        var jar = repository.resolve("audit-service/target/quarkus-app/quarkus-run.jar");
        ensure(jar.toString(), StartupCache.of(jar).reading(), state);
    }

    /// @param classPath with the audit service on it
    /// @param flags more of the JVM
    /// @throws IllegalStateException when that fails, with what the command said
    static void ensure(String classPath, List<String> flags, StateFolder state) {
        if (Files.exists(state.auditRootKeyset())) {
            return;
        }
        var arguments = new ArrayList<>(flags);
        arguments.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                COMMAND,
                "create",
                state.auditRootKeyset().toString(),
                state.auditRootPassphrase().toString()));
        try (var command = ProcessSpec.java("root-keyset", state.log("root-keyset"), arguments.toArray(String[]::new))
                .start()) {
            command.awaitLine("made ", LIMIT);
        }
        StateFolder.delete(state.log("root-keyset"));
    }
}
