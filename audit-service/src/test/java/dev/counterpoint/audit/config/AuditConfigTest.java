package dev.counterpoint.audit.config;

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
class AuditConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.of(
            "bootstrapServers", "localhost:9092",
            "keysDir", Path.of("keys"),
            "rootKeysetFile", Path.of("root-keyset.json"),
            "rootPassphraseFile", Optional.empty(),
            "rootPassphrase", Optional.empty(),
            "intakeAttempts", 3,
            "intakeBackoff", Duration.ofMillis(100),
            "intakeBackoffMax", Duration.ofSeconds(5),
            "anonymousDenialsPerSecond", 10,
            "drainTimeout", Duration.ofSeconds(15));

    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("audit-service", AuditConfig.class);
    }

    @Test
    void everyDefaultIsAsPromised() {
        var config = config(Map.of());

        assertThat(Arrays.stream(AuditConfig.class.getDeclaredMethods())
                        .collect(Collectors.toMap(Method::getName, method -> value(method, config))))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        var config = config(Map.of(
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

    private static AuditConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withMapping(AuditConfig.class)
                .withConverter(Duration.class, 200, new QuarkusDuration())
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(AuditConfig.class);
    }

    private static Object value(Method method, AuditConfig config) {
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
