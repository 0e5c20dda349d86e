package dev.counterpoint.gateway.stream;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;

/// The settings of a deployment that sets none.
final class Settings {
    private Settings() {}

    static StreamConfig defaults() {
        return new SmallRyeConfigBuilder()
                .withMapping(StreamConfig.class)
                .withConverter(Duration.class, 200, new DurationConverter())
                .withDefaultValue("gateway.stream.id", "gateway-1")
                .withDefaultValue("gateway.stream.bootstrap-servers", "localhost:1")
                .withDefaultValue("gateway.stream.keys-dir", "keys")
                .build()
                .getConfigMapping(StreamConfig.class);
    }
}
