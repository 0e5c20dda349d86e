package dev.counterpoint.audit.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// How this service runs. Who may use its API is configured by `quarkus.oidc.*`, see the README.
@ConfigMapping(prefix = "audit")
public interface AuditConfig {
    /// Addresses of Kafka brokers.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// The root keyset, as the command `RootKeysetCommand create` writes it.
    @WithDefault("root-keyset.json")
    Path rootKeysetFile();

    /// File with the passphrase of the root keyset; nobody but its owner may read it.
    Optional<Path> rootPassphraseFile();

    /// The passphrase itself, for deployments that hand out secrets as environment; the file wins.
    Optional<String> rootPassphrase();

    /// How often a record is tried that fails for another reason than an outage, before it goes to the dead letters.
    @WithDefault("3")
    int intakeAttempts();

    /// Pause before a record is tried again; doubles up to [#intakeBackoffMax()].
    @WithDefault("100ms")
    Duration intakeBackoff();

    /// The longest pause before a record is tried again.
    @WithDefault("5s")
    Duration intakeBackoffMax();

    /// How many denied attempts without a valid token are written down in a second; the others are counted only, so
    /// that nobody can fill the database from outside.
    @WithDefault("10")
    int anonymousDenialsPerSecond();

    /// How long open requests may go on at a stop; longer than the database is waited for. Whoever stops this process
    /// must wait longer before killing it.
    @WithDefault("15s")
    Duration drainTimeout();
}
