package dev.counterpoint.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.servicekit.ConnectionConfig;
import dev.counterpoint.testkit.ConfigurationReference;
import dev.counterpoint.testkit.TestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class GatewayConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("adminToken", Optional.empty()),
            Map.entry("console", false),
            Map.entry("bootstrapKeysFile", Optional.empty()),
            Map.entry("prompts", Optional.empty()),
            Map.entry("modelAliases", Optional.empty()),
            Map.entry("defaultReasoning", ReasoningMode.NONE),
            Map.entry("obfuscation", true),
            Map.entry("choicesMax", 16),
            Map.entry("bodyBytesMax", 8L * 1024 * 1024),
            Map.entry("firstTokenTimeout", Duration.ofSeconds(120)),
            Map.entry("keepAlive", Duration.ofSeconds(15)),
            Map.entry("writeTimeout", Duration.ofSeconds(15)),
            Map.entry("cancelTimeout", Duration.ofSeconds(10)),
            Map.entry("reservedOutputTokens", 1024),
            Map.entry("idempotencyPatience", Duration.ofSeconds(10)),
            Map.entry("auditLagMax", Duration.ofMinutes(5)),
            Map.entry("accessLogTimeout", Duration.ofSeconds(5)),
            Map.entry("storedResponseRetention", Duration.ofDays(30)),
            Map.entry("conversationRetention", Duration.ofDays(365)),
            Map.entry("keyCacheTtl", Duration.ofSeconds(2)),
            Map.entry("drainDelay", Duration.ZERO),
            Map.entry("writtenSummaries", false),
            Map.entry("drainTimeout", Duration.ofMinutes(10)),
            Map.entry("housekeepingInterval", Duration.ofMinutes(10)),
            Map.entry("orphanGrace", Duration.ofMinutes(5)),
            Map.entry("newTenantRequestsPerMinute", OptionalInt.of(600)),
            Map.entry("newTenantConcurrentStreams", OptionalInt.of(128)),
            Map.entry("imageAddresses", false),
            Map.entry("webhookAddresses", Optional.empty()),
            Map.entry("webhookPlainHttp", false),
            Map.entry("webhookTimeout", Duration.ofSeconds(10)));

    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("gateway-service", GatewayConfig.class, LogConfig.class, AdmissionConfig.class);
    }

    @Test
    void everyDefaultIsAsPromised() {
        assertThat(TestConfig.defaults(GatewayConfig.class)).isEqualTo(DEFAULTS);
    }

    @Test
    void everyTimeOfAConnectionIsAsPromised() {
        assertThat(TestConfig.defaults(ConnectionConfig.class))
                .isEqualTo(Map.of(
                        "headTimeout", Duration.ofSeconds(10),
                        "keepAliveTimeout", Duration.ofSeconds(75),
                        "bodyTimeout", Duration.ofMinutes(2)));
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = TestConfig.of(
                GatewayConfig.class,
                Map.of(
                        "gateway.admin-token", "secret",
                        "gateway.bootstrap-keys-file", "/etc/keys",
                        "gateway.default-reasoning", "summary",
                        "gateway.body-bytes-max", "4096",
                        "gateway.first-token-timeout", "1s",
                        "gateway.key-cache-ttl", "5s"));

        // Then
        assertThat(config.adminToken()).contains("secret");
        assertThat(config.bootstrapKeysFile()).contains(Path.of("/etc/keys"));
        assertThat(config.defaultReasoning()).isEqualTo(ReasoningMode.SUMMARY);
        assertThat(config.bodyBytesMax()).isEqualTo(4096);
        assertThat(config.firstTokenTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.keyCacheTtl()).isEqualTo(Duration.ofSeconds(5));
    }
}
