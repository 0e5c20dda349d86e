package dev.counterpoint.infra.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerSettingsTest {
    /// The first port that systems give to outgoing connections.
    private static final int SYSTEMS_CHOICE = 32_768;

    @TempDir
    Path folder;

    private BrokerSettings parse(String... more) throws IOException {
        var password = Files.writeString(folder.resolve("password"), "admin-of-the-tests\n");
        var arguments = Stream.concat(Stream.of("--data=d", "--admin-password-file=" + password), Stream.of(more));
        return BrokerSettings.parse(arguments.toArray(String[]::new));
    }

    @Test
    void replacesPortZeroByTwoDifferentFreePorts() throws IOException {
        // When
        var settings = parse("--port=0", "--controller-port=0");
        // Then
        assertThat(List.of(settings.port(), settings.controllerPort()))
                .doesNotHaveDuplicates()
                .allMatch(port -> port > 0 && port < SYSTEMS_CHOICE, "a port that no outgoing connection gets");
        assertThat(settings.properties())
                .containsEntry("advertised.listeners", "CLIENTS://127.0.0.1:" + settings.port());
    }

    @Test
    void letsASettingBeOverridden() throws IOException {
        // When
        var settings = parse("--port=0", "--set", "message.max.bytes=1000");
        // Then
        assertThat(settings.properties()).containsEntry("message.max.bytes", "1000");
    }

    @Test
    void sendsClientsThatCameByAProxyBackToIt() throws IOException {
        // When
        var settings = parse("--port=0", "--via=19001:9001", "--via=19002:9002");
        // Then
        assertThat(settings.properties().getProperty("listeners"))
                .endsWith(",VIA1://127.0.0.1:19001,VIA2://127.0.0.1:19002");
        assertThat(settings.properties().getProperty("advertised.listeners"))
                .endsWith(",VIA1://127.0.0.1:9001,VIA2://127.0.0.1:9002");
        assertThat(settings.properties().getProperty("listener.security.protocol.map"))
                .endsWith(",VIA1:SASL_PLAINTEXT,VIA2:SASL_PLAINTEXT");
    }

    @Test
    void aNodeKnowsTheOthersAndHowManyCopiesAreKept() throws IOException {
        // When
        var settings = parse("--port=0", "--cluster=MkU3OEVBNTcwNTJENDM2Qg:2:19091,0,19093");
        // Then
        assertThat(settings.properties())
                .containsEntry("node.id", "2")
                .containsEntry("controller.quorum.voters", "1@127.0.0.1:19091,2@127.0.0.1:0,3@127.0.0.1:19093")
                .containsEntry("default.replication.factor", "3")
                .containsEntry("min.insync.replicas", "2");
    }

    @Test
    void nobodyComesInWithoutAPasswordAndNothingIsAllowedThatNoRuleAllows() throws IOException {
        // When
        var settings = parse("--port=0", "--via=19001:9001");
        // Then
        assertThat(settings.properties())
                .containsEntry(
                        "listener.security.protocol.map",
                        "CONTROLLER:SASL_PLAINTEXT,CLIENTS:SASL_PLAINTEXT,VIA1:SASL_PLAINTEXT")
                .containsEntry("allow.everyone.if.no.acl.found", "false")
                .containsEntry("super.users", "User:admin");
        assertThat(settings.toString()).doesNotContain("admin-of-the-tests");
    }

    @Test
    void refusesAPasswordThatIsShort() throws IOException {
        // Given
        var password = Files.writeString(folder.resolve("short"), "admin");
        // Then
        assertThatThrownBy(() -> BrokerSettings.parse("--data=d", "--admin-password-file=" + password))
                .hasMessageContaining("at least 16");
    }

    @Test
    void namesThePortThatIsTaken() throws Exception {
        // Given
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(BrokerSettings.HOST))) {
            // Then
            assertThatThrownBy(() -> parse("--port=" + taken.getLocalPort()))
                    .hasMessageContaining("port " + taken.getLocalPort() + " on 127.0.0.1 is taken");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--port=0",
                "--data=d --port=x",
                "--data=d --port=70000",
                "--data=d --via=9001",
                "--data=d --via=1:x",
                "--data=d --set",
                "--data=d --set x",
                "--data=d -v",
                "--data=d --cluster=a:1",
                "--data=d --cluster=a:3:1,2",
                "--data=d --cluster=a:0:1,2",
                "--data=d --cluster=:1:1,2"
            })
    void refusesWhatItDoesNotUnderstandAndSaysHowItIsUsed(String arguments) {
        assertThatThrownBy(() -> BrokerSettings.parse(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("usage: Broker");
    }
}
