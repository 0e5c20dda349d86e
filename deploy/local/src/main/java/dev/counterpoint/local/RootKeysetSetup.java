package dev.counterpoint.local;

import dev.counterpoint.testkit.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Makes the root keyset of the audit service at the first start, with that service's own command.
final class RootKeysetSetup {
    private static final String COMMAND = "dev.counterpoint.audit.keys.RootKeysetCommand";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private RootKeysetSetup() {}

    /// @throws IllegalStateException when that fails, with what the command said
    static void ensure(Path repository, State state) {
        if (Files.exists(state.auditRootKeyset())) {
            return;
        }
        var application = repository.resolve("audit-service/target/quarkus-app");
        var classpath = application.resolve("app/*") + ":" + application.resolve("lib/main/*");
        try (var command = Launch.java(
                        "root-keyset",
                        state.log("root-keyset"),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classpath,
                        COMMAND,
                        "create",
                        state.auditRootKeyset().toString(),
                        state.auditRootPassphrase().toString())
                .in(repository)
                .start()) {
            command.awaitLine("made ", LIMIT);
        }
        State.delete(state.log("root-keyset"));
    }
}
