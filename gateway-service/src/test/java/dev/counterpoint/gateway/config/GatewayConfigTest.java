package dev.counterpoint.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.ConfigurationReference;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.spi.Converter;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class GatewayConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("adminToken", Optional.empty()),
            Map.entry("bootstrapKeysFile", Optional.empty()),
            Map.entry("prompts", Optional.empty()),
            Map.entry("defaultReasoning", ReasoningMode.NONE),
            Map.entry("obfuscation", true),
            Map.entry("choicesMax", 16),
            Map.entry("bodyBytesMax", 8L * 1024 * 1024),
            Map.entry("firstTokenTimeout", Duration.ofSeconds(120)),
            Map.entry("keepAlive", Duration.ofSeconds(15)),
            Map.entry("writeTimeout", Duration.ofSeconds(60)),
            Map.entry("cancelTimeout", Duration.ofSeconds(10)),
            Map.entry("reservedOutputTokens", 1024),
            Map.entry("idempotencyPatience", Duration.ofSeconds(10)),
            Map.entry("auditLagMax", Duration.ofMinutes(5)),
            Map.entry("accessLogTimeout", Duration.ofSeconds(5)),
            Map.entry("storedResponseRetention", Duration.ofDays(30)),
            Map.entry("conversationRetention", Duration.ofDays(365)),
            Map.entry("keyCacheTtl", Duration.ofSeconds(2)),
            Map.entry("drainTimeout", Duration.ofMinutes(10)),
            Map.entry("housekeepingInterval", Duration.ofMinutes(10)),
            Map.entry("orphanGrace", Duration.ofMinutes(5)));

    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("gateway-service", GatewayConfig.class, LogConfig.class, AdmissionConfig.class);
    }

    @Test
    void everyDefaultIsAsPromised() {
        // When
        var config = config(Map.of());

        // Then
        assertThat(Arrays.stream(GatewayConfig.class.getDeclaredMethods())
                        .collect(Collectors.toMap(Method::getName, method -> value(method, config))))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = config(Map.of(
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

    private static GatewayConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withMapping(GatewayConfig.class)
                .withConverter(Duration.class, 200, new QuarkusDuration())
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(GatewayConfig.class);
    }

    private static Object value(Method method, GatewayConfig config) {
        try {
            return method.invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /// Settings are read with Quarkus' own spelling of durations.
    private static final class QuarkusDuration implements Converter<Duration> {
        private static final long serialVersionUID = 1;

        @Override
        public Duration convert(String text) {
            return io.quarkus.runtime.configuration.DurationConverter.parseDuration(text);
        }
    }
}
