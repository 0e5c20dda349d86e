package dev.counterpoint.summarizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.testkit.ConfigurationReference;
import dev.counterpoint.testkit.TestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
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
        var defaults = new HashMap<>(TestConfig.defaults(SummarizerConfig.class));
        // Then
        var written = (SummarizerConfig.Written) Objects.requireNonNull(defaults.remove("written"));
        var described = (SummarizerConfig.Described) Objects.requireNonNull(defaults.remove("described"));
        assertThat(defaults).isEqualTo(DEFAULTS);
        assertThat(described.byModel()).isTrue();
        assertThat(described.partTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(described.model()).isEmpty();
        assertThat(written.allowed()).isFalse();
        assertThat(written.partTimeout()).isEqualTo(Duration.ofSeconds(8));
        assertThat(written.inFlightMax()).isEqualTo(16);
        assertThat(written.model()).isEmpty();
        assertThat(written.policyModel()).isEmpty();
        assertThat(written.policyFile()).isEmpty();
    }

    @Test
    void everySettingOfDescribedPartsGoesByItsName() {
        // When
        var described = TestConfig.of(
                        SummarizerConfig.class,
                        Map.of(
                                "summarizer.described.by-model", "false",
                                "summarizer.described.part-timeout", "2s",
                                "summarizer.described.model", "small"))
                .described();
        // Then
        assertThat(described.byModel()).isFalse();
        assertThat(described.partTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(described.model()).contains("small");
    }

    @Test
    void everySettingOfWrittenPartsGoesByItsName() {
        // When
        var written = TestConfig.of(
                        SummarizerConfig.class,
                        Map.of(
                                "summarizer.written.allowed", "true",
                                "summarizer.written.part-timeout", "3s",
                                "summarizer.written.in-flight-max", "4",
                                "summarizer.written.model", "small",
                                "summarizer.written.policy-model", "safeguard",
                                "summarizer.written.policy-file", "/etc/policy.json"))
                .written();
        // Then
        assertThat(written.allowed()).isTrue();
        assertThat(written.partTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(written.inFlightMax()).isEqualTo(4);
        assertThat(written.model()).contains("small");
        assertThat(written.policyModel()).contains("safeguard");
        assertThat(written.policyFile()).contains(Path.of("/etc/policy.json"));
    }

    @Test
    void everySettingGoesByItsNameInKebabCase() {
        // When
        var config = TestConfig.of(
                SummarizerConfig.class,
                Map.of(
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
}
