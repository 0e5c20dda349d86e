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

    /// File with the root keyset, made by `RootKeysetCommand create`.
    @WithDefault("root-keyset.json")
    Path rootKeysetFile();

    /// File with the passphrase of the root keyset, at least 16 characters, readable by its owner only.
    Optional<Path> rootPassphraseFile();

    /// The passphrase itself, for deployments that pass secrets as environment variables; the file wins when both
    /// are set.
    Optional<String> rootPassphrase();

    /// What wraps the tenants' keys: `keyset-file` (the root keyset) or `pkcs11` (keys in an HSM). The other one still
    /// unwraps if it is configured: the root keyset as long as its file exists.
    @WithDefault("keyset-file")
    KeyServiceKind rootKeyService();

    /// File of the Java provider SunPKCS11 (`name`, `library`, `slotListIndex`) for the token with the root keys.
    Optional<Path> rootPkcs11Config();

    /// File with the PIN of the token, readable by its owner only.
    Optional<Path> rootPkcs11PinFile();

    /// Labels of AES keys in the token, separated by commas: the first wraps, all of them unwrap. They must be
    /// sensitive and not extractable.
    Optional<List<String>> rootPkcs11Keys();

    /// Name of the audit log in its checkpoints: a host and a path of this deployment, without blanks. Verifiers
    /// identify the log by it, so never change it.
    @WithDefault("counterpoint.local/audit")
    String logOrigin();

    /// Files with ML-DSA-44 keys, made by `counterpoint audit key`, separated by commas, readable by their owner only.
    /// Each key signs checkpoints beside the Ed25519 keys, for evidence that outlives Ed25519.
    Optional<List<Path>> logMlDsaKeys();

    /// Number of leaves in the topic `audit-log` (readiness names it) up to which a database restored from a backup may
    /// take the lost leaves from there. Their rows are lost, as an event of the log records. Works once, because
    /// the log grows from then on. Absent: an older database is refused.
    OptionalLong logRestoredTo();

    /// What holds the root keys.
    enum KeyServiceKind {
        KEYSET_FILE,
        PKCS11
    }

    /// Failures, 1 or more, after which a record of the bus becomes a dead letter; failures of an outage do not count.
    @WithDefault("3")
    int intakeAttempts();

    /// Pause (above 0) before a record is tried again; it doubles up to `audit.intake-backoff-max`.
    @WithDefault("100ms")
    Duration intakeBackoff();

    /// The longest pause (at least `audit.intake-backoff`) before a record is tried again.
    @WithDefault("5s")
    Duration intakeBackoffMax();

    /// Time (above 0) after which the log of frames holds nothing older: its retention and the time that the broker
    /// takes to delete a segment. An erasure's receipt is `pending` for so long, and no closing of a response
    /// comes later.
    @WithDefault("110m")
    Duration framesGoneAfter();

    /// Whether an erasure needs a second person with the role `compliance.approve`. `false` lets one person erase
    /// alone; each start logs that.
    @WithDefault("true")
    boolean erasureApproval();

    /// Whether a record is read only under a grant: who wants to read asks for it, and another person with the role
    /// `compliance.approve` approves it, or looks at it afterwards in an emergency.
    @WithDefault("false")
    boolean readApproval();

    /// Time (a duration from 0 to `8h`) for which a grant lets its person read a record, download an export or see the
    /// result of a scan.
    @WithDefault("8h")
    Duration grantLifetime();

    /// Time (a duration above 0) in which another person has to look at an emergency; afterwards `/q/health/well` says
    /// so.
    @WithDefault("24h")
    Duration emergencyReview();

    /// Time (above 0) in which a request, such as for an erasure, must be approved. A week outlasts a long weekend, and
    /// leaves most of the month that the law often gives.
    @WithDefault("7d")
    Duration requestLifetime();

    /// Classes of retention, `name=min..max` (two durations, such as `standard=180d..3650d`), separated by commas.
    /// Nobody erases a record before the minimum unless the approver overrides it. When the maximum has passed, the
    /// service deletes content and person of the record. Absent: records stay until they are erased.
    Optional<List<String>> retentionClasses();

    /// Class of records whose tenant and API key have none. Absent: none.
    Optional<String> retentionDefault();

    /// Classes of tenants, `tenant=class`, separated by commas.
    Optional<List<String>> retentionTenants();

    /// Classes of API keys, `key=class`, separated by commas; the class of the key comes before the tenant's.
    Optional<List<String>> retentionKeys();

    /// Largest number of records in one export.
    @WithDefault("10000")
    int exportRecordsMax();

    /// Time of the backup (`2026-11-29T12:00:00Z`) that was restored without a later copy of the erasures, which may be
    /// undone. Until two persons have confirmed which they were, no record is read, and readiness and
    /// `/q/health/well` report it. Absent: none are lost.
    Optional<Instant> erasuresLostSince();

    /// Address of the OIDC server where staff signs in to the console (`/console`), the issuer of its tokens. Absent:
    /// no console.
    Optional<String> consoleIssuer();

    /// Name of the console as a client of that server.
    @WithDefault("counterpoint-console")
    String consoleClientId();

    /// Secret of the console as a client of that server, at least 32 characters; replicas share it. It also encrypts
    /// the session cookies.
    Optional<String> consoleClientSecret();

    /// Time (a duration above 0) without a page load after which a session of the console ends.
    @WithDefault("15m")
    Duration consoleIdle();

    /// Whether cookies of the console are sent over HTTPS only. `false` is for a machine of one's own, and the log says
    /// so at every start.
    @WithDefault("true")
    boolean consoleSecureCookies();

    /// Requests a second without a valid token, 0 or more, that get an access entry each. Others share one entry each
    /// five seconds with their number, so that outsiders cannot fill the database.
    @WithDefault("10")
    int anonymousDenialsPerSecond();

    /// Longest time (0 or more) that open requests may take at a stop. It should exceed a request's wait for the
    /// database, and a supervisor must wait longer before it kills the process.
    @WithDefault("15s")
    Duration drainTimeout();
}
