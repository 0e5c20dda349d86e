package dev.counterpoint.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DevEnvironmentTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"gateway-service", "inference-worker", "summarizer-service", "audit-service"})
    void aReplicaInDevModeUsesTheServersOfTheRunningSuite(String service) {
        assertThat(DevEnvironment.variables(service, environment(), 7007))
                .containsEntry("KAFKA_BOOTSTRAP_SERVERS", "kafka:4")
                .containsEntry("QUARKUS_HTTP_PORT", "7007")
                .containsKey("COUNTERPOINT_KEYS_DIR");
    }

    @Test
    void anotherNameIsNoService() {
        assertThat(DevEnvironment.variables("gateway", environment(), 7007)).isEmpty();
    }

    private ServiceEnvironment environment() {
        var state = StateFolder.in(folder);
        return new ServiceEnvironment(
                Options.parse("--engine", "simulated"),
                LocalSecrets.of(state),
                StaffIssuer.of(state),
                state,
                "kafka:4",
                "jdbc:postgresql://127.0.0.1:5");
    }
}
