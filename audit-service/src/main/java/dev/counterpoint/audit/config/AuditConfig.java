package dev.counterpoint.audit.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The settings of the audit service. The settings `quarkus.oidc.*` say which tokens its API accepts.
@ConfigMapping(prefix = "audit")
public interface AuditConfig {
    /// Addresses of the Kafka brokers, `host:port` separated by commas.
    @WithDefault("${kafka.bootstrap.servers:localhost:9092}")
    String bootstrapServers();

    /// Folder with the sealing keys of the bus; the service does not start without them.
    @WithDefault("${counterpoint.keys.dir:keys}")
    Path keysDir();

    /// File with the root keyset, as the command `RootKeysetCommand create` writes the file.
    @WithDefault("root-keyset.json")
    Path rootKeysetFile();

    /// File with the passphrase of the root keyset, at least 16 characters; the file must be readable by its owner
    /// only.
    Optional<Path> rootPassphraseFile();

    /// The passphrase of the root keyset, at least 16 characters, for deployments that pass secrets as environment
    /// variables; the passphrase file wins when both are set.
    Optional<String> rootPassphrase();

    /// What wraps the tenants' keys: `keyset-file` (the root keyset) or `pkcs11` (keys in an HSM). The other one still
    /// unwraps where it is set: with `pkcs11` the root keyset, as long as its file is there.
    @WithDefault("keyset-file")
    KeyServiceKind rootKeyService();

    /// File of the Java provider SunPKCS11 (`name`, `library`, `slotListIndex`) for the token with the root keys.
    Optional<Path> rootPkcs11Config();

    /// File with the PIN of the token; the file must be readable by its owner only.
    Optional<Path> rootPkcs11PinFile();

    /// Labels of AES keys in the token, separated by commas: the first wraps, all of them unwrap. They must be
    /// sensitive and not extractable.
    Optional<List<String>> rootPkcs11Keys();

    /// Name of the audit log in its checkpoints: a host and a path of this deployment, without blanks. Verifiers
    /// know the log by it, so it never changes.
    @WithDefault("counterpoint.local/audit")
    String logOrigin();

    /// Files with ML-DSA-44 keys, as `counterpoint audit key` makes them, separated by commas; a file must be readable
    /// by its owner only. Each key signs checkpoints beside the Ed25519 keys of the service, for evidence that
    /// outlives Ed25519.
    Optional<List<Path>> logMlDsaKeys();

    /// Number of leaves in the topic `audit-log` (readiness names it) up to which a database that was restored
    /// from a backup may take the lost leaves from there. Their rows are lost, and an event of the log says so.
    /// Works once, because the log grows from then on. Absent: an older database is refused.
    OptionalLong logRestoredTo();

    /// What holds the root keys.
    enum KeyServiceKind {
        KEYSET_FILE,
        PKCS11
    }

    /// Number of failures, 1 or more, after which a record of the bus goes to the dead letters; failures of an
    /// outage do not count.
    @WithDefault("3")
    int intakeAttempts();

    /// Pause (a duration above 0) before a record is tried again; the pause doubles up to
    /// `audit.intake-backoff-max`.
    @WithDefault("100ms")
    Duration intakeBackoff();

    /// The longest pause (a duration, at least `audit.intake-backoff`) before a record is tried again.
    @WithDefault("5s")
    Duration intakeBackoffMax();

    /// Time (a duration above 0) after which the log of frames holds nothing any more of what was appended before:
    /// its retention and the time that the broker takes to delete a segment. An erasure's receipt is `pending` for
    /// so long, and no closing of a response comes later.
    @WithDefault("110m")
    Duration framesGoneAfter();

    /// Whether an erasure wants a second person: who asks for it does not erase, and another subject with the role
    /// `compliance.approve` approves it. `false` lets one person erase alone, which the log says at every start.
    @WithDefault("true")
    boolean erasureApproval();

    /// Whether a record is read only under a grant: who wants to read asks for it, and another person with the role
    /// `compliance.approve` approves it, or looks at it afterwards in an emergency.
    @WithDefault("false")
    boolean readApproval();

    /// Time (a duration above 0) for which a grant lets its person read; a longer one than `8h` is `8h`.
    @WithDefault("8h")
    Duration grantLifetime();

    /// Time (a duration above 0) in which another person has to look at an emergency; afterwards `/q/health/well` says
    /// so.
    @WithDefault("24h")
    Duration emergencyReview();

    /// Time (a duration above 0) in which a request, such as for an erasure, has to be approved; afterwards it has
    /// to be made again. A week outlasts a long weekend, and leaves most of the month that the law often gives.
    @WithDefault("7d")
    Duration requestLifetime();

    /// Time of the backup (`2026-11-29T12:00:00Z`) that was restored without a later copy of the erasures: those
    /// since may be undone. Until two persons have confirmed which they were, no record is read, and readiness and
    /// `/q/health/well` say so. Absent: none are lost.
    Optional<Instant> erasuresLostSince();

    /// Number of requests without a valid token, 0 or more in each second, that get an entry of their own in the
    /// access log. Further requests share one entry each five seconds that says how many they were, so that nobody
    /// can fill the database from outside.
    @WithDefault("10")
    int anonymousDenialsPerSecond();

    /// Longest time (a duration of 0 or more) that open requests may still take at a stop. The time should be
    /// longer than a request waits for the database, and whoever stops the process must wait longer before killing
    /// it.
    @WithDefault("15s")
    Duration drainTimeout();
}
