package dev.counterpoint.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void replacesPortZeroByTwoDifferentFreePorts() {
        // When
        var settings = Settings.parse("--data=d", "--port=0", "--controller-port=0");
        // Then
        assertThat(settings.port()).isPositive().isNotEqualTo(settings.controllerPort());
        assertThat(settings.properties())
                .containsEntry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + settings.port());
    }

    @Test
    void letsASettingBeOverridden() {
        // When
        var settings = Settings.parse("--data=d", "--port=0", "--set", "message.max.bytes=1000");
        // Then
        assertThat(settings.properties()).containsEntry("message.max.bytes", "1000");
    }

    @Test
    void namesThePortThatIsTaken() throws Exception {
        // Given
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(Settings.HOST))) {
            // Then
            assertThatThrownBy(() -> Settings.parse("--data=d", "--port=" + taken.getLocalPort()))
                    .hasMessageContaining("port " + taken.getLocalPort() + " on 127.0.0.1 is taken");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--port=0",
                "--data=d --port=x",
                "--data=d --port=70000",
                "--data=d --set",
                "--data=d --set x",
                "--data=d -v"
            })
    void refusesWhatItDoesNotUnderstandAndSaysHowItIsUsed(String arguments) {
        assertThatThrownBy(() -> Settings.parse(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("usage: Broker");
    }
}
