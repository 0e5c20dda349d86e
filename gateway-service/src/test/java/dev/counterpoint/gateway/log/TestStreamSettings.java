package dev.counterpoint.gateway.log;

import dev.counterpoint.gateway.config.LogConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;

/// The settings of a deployment.
final class TestStreamSettings {
    private TestStreamSettings() {}

    /// Of one that sets none.
    static LogConfig defaults() {
        return with(Map.of());
    }

    /// @param set what it sets
    static LogConfig with(Map<String, String> set) {
        return new SmallRyeConfigBuilder()
                .withMapping(LogConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValue("gateway.stream.id", "gateway-1")
                .withDefaultValue("gateway.stream.bootstrap-servers", "localhost:1")
                .withDefaultValue("gateway.stream.keys-dir", "keys")
                .withDefaultValues(set)
                .build()
                .getConfigMapping(LogConfig.class);
    }
}
