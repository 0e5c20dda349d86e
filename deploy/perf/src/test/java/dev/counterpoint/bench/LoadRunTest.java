package dev.counterpoint.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A load on the paced upstream itself, and on one that refuses.
class LoadRunTest {
    private static final Pace PACE = new Pace(8, Duration.ofMillis(5));

    private static LoadTarget target(int port) {
        return new LoadTarget(
                "upstream", URI.create("http://127.0.0.1:" + port + "/v1"), LoadTarget.Api.CHAT, Map.of());
    }

    private static HeardLoad load(LoadTarget target) {
        var schedule = ArrivalSchedule.steady(4, PACE, Duration.ofMillis(100), Duration.ofMillis(400));
        return new LoadRun(target, schedule).run(LoadRun.UNWATCHED);
    }

    @Test
    void everyTokenOfThePacedUpstreamIsHeard() throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server));
            var heard = load(target(server.getLocalPort()));
            assertThat(heard.endings().asked())
                    .isPositive()
                    .isEqualTo(heard.endings().completed());
            assertThat(heard.tokens()).isPositive();
            assertThat(heard.firstTexts().count()).isEqualTo(heard.endings().asked());
        }
    }

    @Test
    void aQuestionSaysHowLongItsAnswerIs() {
        var asked = new Pace(512, Duration.ofMillis(3));

        assertThat(Pace.askedBy("Say it " + asked.words() + ", please.")).contains(asked);
        assertThat(Pace.askedBy("Say it many times.")).isEmpty();
    }

    private static void serve(ServerSocket server) {
        try {
            new PacedUpstream(new Pace(3, Duration.ofMillis(1))).accept(server);
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void aServerThatIsNotThereFailsAndDoesNotStopTheLoad() {
        var heard = load(target(StartedProgram.freePort()));
        assertThat(heard.endings().failed())
                .isPositive()
                .isEqualTo(heard.endings().asked());
        assertThat(heard.firstTexts().count()).isZero();
    }

    @Test
    void aRefusalIsNoFailure() throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuse(server));
            var heard = load(target(server.getLocalPort()));
            assertThat(heard.endings().refused())
                    .isPositive()
                    .isEqualTo(heard.endings().asked());
        }
    }

    private static void refuse(ServerSocket server) {
        while (!server.isClosed()) {
            try (var socket = server.accept()) {
                socket.getInputStream().read(new byte[4096]);
                socket.getOutputStream()
                        .write("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                // Asked again, or the test is over.
            }
        }
    }
}
