package dev.counterpoint.audit.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.ConfigurationReference;
import dev.counterpoint.testkit.TestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class AuditConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("bootstrapServers", "localhost:9092"),
            Map.entry("keysDir", Path.of("keys")),
            Map.entry("rootKeysetFile", Path.of("root-keyset.json")),
            Map.entry("rootPassphraseFile", Optional.empty()),
            Map.entry("rootPassphrase", Optional.empty()),
            Map.entry("rootKeyService", AuditConfig.KeyServiceKind.KEYSET_FILE),
            Map.entry("rootPkcs11Config", Optional.empty()),
            Map.entry("rootPkcs11PinFile", Optional.empty()),
            Map.entry("rootPkcs11Keys", Optional.empty()),
            Map.entry("logMlDsaKeys", Optional.empty()),
            Map.entry("logOrigin", "counterpoint.local/audit"),
            Map.entry("logRestoredTo", OptionalLong.empty()),
            Map.entry("intakeAttempts", 3),
            Map.entry("intakeBackoff", Duration.ofMillis(100)),
            Map.entry("intakeBackoffMax", Duration.ofSeconds(5)),
            Map.entry("anonymousDenialsPerSecond", 10),
            Map.entry("drainTimeout", Duration.ofSeconds(15)),
            Map.entry("erasureApproval", true),
            Map.entry("requestLifetime", Duration.ofDays(7)),
            Map.entry("readApproval", false),
            Map.entry("grantLifetime", Duration.ofHours(8)),
            Map.entry("emergencyReview", Duration.ofHours(24)),
            Map.entry("retentionClasses", Optional.empty()),
            Map.entry("retentionDefault", Optional.empty()),
            Map.entry("retentionTenants", Optional.empty()),
            Map.entry("retentionKeys", Optional.empty()),
            Map.entry("exportRecordsMax", 10_000),
            Map.entry("erasuresLostSince", Optional.empty()),
            Map.entry("consoleIssuer", Optional.empty()),
            Map.entry("consoleClientId", "counterpoint-console"),
            Map.entry("consoleClientSecret", Optional.empty()),
            Map.entry("consoleIdle", Duration.ofMinutes(15)),
            Map.entry("consoleSecureCookies", true),
            Map.entry("framesGoneAfter", Duration.ofMinutes(110)));

    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("audit-service", AuditConfig.class);
    }

    @Test
    void everyDefaultIsAsPromised() {
        assertThat(TestConfig.defaults(AuditConfig.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        var config = TestConfig.of(
                AuditConfig.class,
                Map.of(
                        "kafka.bootstrap.servers", "broker:1",
                        "counterpoint.keys.dir", "/keys",
                        "audit.root-keyset-file", "/root",
                        "audit.root-passphrase-file", "/passphrase",
                        "audit.root-passphrase", "secret",
                        "audit.intake-attempts", "5",
                        "audit.intake-backoff", "1s"));

        assertThat(config.bootstrapServers()).isEqualTo("broker:1");
        assertThat(config.keysDir()).isEqualTo(Path.of("/keys"));
        assertThat(config.rootKeysetFile()).isEqualTo(Path.of("/root"));
        assertThat(config.rootPassphraseFile()).contains(Path.of("/passphrase"));
        assertThat(config.rootPassphrase()).contains("secret");
        assertThat(config.intakeAttempts()).isEqualTo(5);
        assertThat(config.intakeBackoff()).isEqualTo(Duration.ofSeconds(1));
    }
}
