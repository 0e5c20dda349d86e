package dev.counterpoint.summarizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.ConfigurationReference;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Operators write these names into their deployments: a change here is a change for them.
class SummarizerConfigTest {
    private static final Map<String, Object> DEFAULTS = Map.ofEntries(
            Map.entry("bootstrapServers", "localhost:9092"),
            Map.entry("keysDir", Path.of("keys")),
            Map.entry("group", "summarizer"),
            Map.entry("beatInterval", Duration.ofMillis(500)),
            Map.entry("tidyInterval", Duration.ofSeconds(1)),
            Map.entry("followedMax", 10_000));

    @Test
    void theReferenceSaysTheSame() {
        ConfigurationReference.check("summarizer-service", SummarizerConfig.class);
    }

    @Test
    void everyDefaultIsAsPromised() {
        // When
        var config = config(Map.of());
        // Then
        assertThat(Arrays.stream(SummarizerConfig.class.getDeclaredMethods())
                        .collect(Collectors.toMap(Method::getName, method -> value(method, config))))
                .isEqualTo(DEFAULTS);
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = config(Map.of(
                "kafka.bootstrap.servers", "kafka:9092",
                "summarizer.keys-dir", "/etc/keys",
                "summarizer.group", "staging",
                "summarizer.beat-interval", "1s",
                "summarizer.tidy-interval", "2s",
                "summarizer.followed-max", "7"));
        // Then
        assertThat(config.bootstrapServers()).isEqualTo("kafka:9092");
        assertThat(config.keysDir()).isEqualTo(Path.of("/etc/keys"));
        assertThat(config.group()).isEqualTo("staging");
        assertThat(config.beatInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.tidyInterval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.followedMax()).isEqualTo(7);
    }

    private static SummarizerConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withMapping(SummarizerConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValues(settings)
                .build()
                .getConfigMapping(SummarizerConfig.class);
    }

    private static Object value(Method method, SummarizerConfig config) {
        try {
            return method.invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
