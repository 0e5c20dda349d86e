package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.testkit.TestConfig;
import java.util.HashMap;
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
        var settings = new HashMap<>(Map.of(
                "gateway.stream.id", "gateway-1",
                "gateway.stream.bootstrap-servers", "localhost:1",
                "gateway.stream.keys-dir", "keys"));
        settings.putAll(set);
        return TestConfig.of(LogConfig.class, settings);
    }
}
