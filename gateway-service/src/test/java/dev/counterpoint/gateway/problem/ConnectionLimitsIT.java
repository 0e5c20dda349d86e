package dev.counterpoint.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.OwnDatabase;
import dev.counterpoint.gateway.ProbeResource;
import dev.counterpoint.testkit.RawHttp;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// M7 (security review): whoever holds a connection and does not use it loses it, and there is no end of
/// connections. Real sockets; the times are short here.
@QuarkusTest
@TestProfile(ConnectionLimitsIT.ShortTimes.class)
@WithTestResource(OwnDatabase.class)
public class ConnectionLimitsIT {
    private static final int CONNECTIONS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LONGER_THAN_THESE = Duration.ofMillis(1_500);
    private static final URI SERVER = Api.uri("/");
    private static final String HEAD = "Host: a\nAuthorization: Bearer " + GatewayDatabase.BOOTSTRAP_KEY + "\n";

    @Test
    void m7AConnectionThatSaysNothingIsClosed() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            assertThat(connection.closesWithin(PATIENCE)).isTrue();
        }
    }

    @Test
    void m7AHeadThatComesByteByByteIsClosed() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/caller HTTP/1.1\nX-Slow: ");

            assertThat(closesWhileItTrickles(connection)).isTrue();
        }
    }

    @Test
    void m7ASecondHeadThatIsNeverWholeIsClosed() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/caller HTTP/1.1\n" + HEAD + "\n");
            assertThat(connection.status()).isEqualTo(200);

            connection.send("GET /v1/probe/caller HTTP/1.1\nX-Slow: ");

            assertThat(closesWhileItTrickles(connection)).isTrue();
        }
    }

    @Test
    void m7ABodyThatIsNeverWholeIsClosed() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("POST /v1/probe/echo HTTP/1.1\n" + HEAD
                    + "Content-Type: application/json\nContent-Length: 9999\n\n{\"a\":\"");

            assertThat(closesWhileItTrickles(connection)).isTrue();
        }
    }

    @Test
    void m7AnAnswerMayTakeLongerThanAnyOfTheseTimes() throws Exception {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("GET /v1/probe/stream/idle/m7 HTTP/1.1\n" + HEAD + "\n");
            assertThat(connection.status()).isEqualTo(200);

            assertThat(connection.closesWithin(LONGER_THAN_THESE)).isFalse();
        }
        assertThat(ProbeResource.isAbandoned("m7")).isTrue();
    }

    @Test
    void anAnswerToABodyMayTakeLongerThanAnyOfTheseTimes() throws Exception {
        assertOutlivesTheTimes("told", "Content-Length: 2\n\n{}");
    }

    @Test
    void anAnswerToABodyInChunksMayTakeLongerThanAnyOfTheseTimes() throws Exception {
        assertOutlivesTheTimes("chunked", "Transfer-Encoding: chunked\n\n2\n{}\n0\n\n");
    }

    private static void assertOutlivesTheTimes(String name, String rest) throws Exception {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("POST /v1/probe/stream/idle/" + name + " HTTP/1.1\n" + HEAD
                    + "Content-Type: application/json\n" + rest);
            assertThat(connection.status()).isEqualTo(200);

            assertThat(connection.closesWithin(LONGER_THAN_THESE)).isFalse();
        }
        assertThat(ProbeResource.isAbandoned(name)).isTrue();
    }

    @Test
    void aBodyInChunksThatIsNeverWholeIsClosed() throws IOException {
        try (var connection = new RawHttp(SERVER)) {
            connection.send("POST /v1/probe/echo HTTP/1.1\n" + HEAD
                    + "Content-Type: application/json\nTransfer-Encoding: chunked\n\n2\n{\"\n");

            assertThat(connection.closesWithin(PATIENCE)).isTrue();
        }
    }

    @Test
    void m7ConnectionsHaveABoundAndAreTakenAgainAfterwards() throws Exception {
        // Given
        var held = new ArrayList<RawHttp>();
        int answered = 0;
        try {
            // When
            for (int i = 0; i < 3 * CONNECTIONS; i++) {
                var connection = new RawHttp(SERVER);
                held.add(connection);
                answered += isAnswered(connection, "stream/idle/m7-" + i) ? 1 : 0;
            }
        } finally {
            for (var connection : held) {
                connection.close();
            }
        }

        // Then
        assertThat(answered).isBetween(1, CONNECTIONS);
        assertThat(takesConnectionsAgain()).isTrue();
    }

    @Test
    void theWebSocketsOfOneTenantAreAQuarterOfTheConnections() throws Exception {
        var held = new ArrayList<RawHttp>();
        var statuses = new ArrayList<Integer>();
        try {
            for (int i = 0; i <= CONNECTIONS / 4; i++) {
                var connection = new RawHttp(SERVER);
                held.add(connection);
                connection.send("GET /v1/responses HTTP/1.1\n" + HEAD + "Connection: Upgrade\nUpgrade: websocket\n"
                        + "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n");
                statuses.add(connection.status());
            }
        } finally {
            for (var connection : held) {
                connection.close();
            }
        }

        assertThat(statuses.removeLast()).isEqualTo(429);
        assertThat(statuses).containsOnly(101);
    }

    private static boolean isAnswered(RawHttp connection, String path) {
        try {
            return connection
                            .send("GET /v1/probe/" + path + " HTTP/1.1\n" + HEAD + "\n")
                            .status()
                    == 200;
        } catch (IOException e) {
            return false; // closed at once
        }
    }

    private static boolean takesConnectionsAgain() throws IOException {
        for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
            try (var connection = new RawHttp(SERVER)) {
                if (isAnswered(connection, "caller")) {
                    return true;
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return false;
    }

    private static boolean closesWhileItTrickles(RawHttp connection) {
        try {
            for (long end = System.nanoTime() + PATIENCE.toNanos(); System.nanoTime() < end; ) {
                connection.send("a");
                if (connection.closesWithin(Duration.ofMillis(200))) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true; // nobody takes what is sent
        }
    }

    /// Less than a second instead of a minute.
    public static final class ShortTimes implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "counterpoint.http.head-timeout", "500ms",
                    "counterpoint.http.keep-alive-timeout", "750ms",
                    "counterpoint.http.body-timeout", "750ms",
                    "quarkus.http.limits.max-connections", Integer.toString(CONNECTIONS));
        }
    }
}
