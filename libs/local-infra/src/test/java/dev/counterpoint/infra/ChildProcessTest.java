package dev.counterpoint.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ChildProcessTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void waitsForALineOfItsOutput() {
        try (var child =
                shell("echo starting; echo \"ready on $PORT\"; exec cat /dev/zero > /dev/null", Map.of("PORT", "7"))) {
            assertThat(child.awaitLine("ready", SOON)).isEqualTo("ready on 7");
        }
    }

    @Test
    void showsTheEndOfTheLogWhenItEndsBeforeTheLine() {
        try (var child = shell("echo no disk; exit 3", Map.of())) {
            assertThatThrownBy(() -> child.awaitLine("ready", SOON))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("ended with status 3")
                    .hasMessageContaining("no disk");
        }
    }

    @Test
    void waitsForAnHttpStatus() throws Exception {
        // Given
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 1);
        server.createContext("/ready", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        URI ready = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/ready");
        try (var child = shell("exec sleep 60", Map.of())) {
            // When
            child.awaitHttp(ready, 200, SOON);
            // Then
            assertThat(child.isAlive()).isTrue();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void reportsHowItEnded() {
        try (var child = shell("exec sleep 60", Map.of())) {
            // When
            child.kill();
            // Then
            assertThat(child.exitStatus()).contains(137);
        }
        try (var child = shell("exec sleep 60", Map.of())) {
            child.abort();
            assertThat(child.exitStatus()).contains(134);
        }
    }

    @Test
    void killsWhatIgnoresSigterm() {
        try (var child = shell("trap '' TERM; echo deaf; while :; do sleep 0.1; done", Map.of())) {
            child.awaitLine("deaf", SOON);
            // When
            child.stop(Duration.ofMillis(200));
            // Then
            assertThat(child.exitStatus()).contains(137);
        }
    }

    @Test
    void freezesAndGoesOn() throws Exception {
        try (var child = shell("echo there; exec sleep 60", Map.of())) {
            child.awaitLine("there", SOON);
            // When
            child.pause();
            String frozen = state(child);
            child.resume();
            // Then
            assertThat(frozen).startsWith("T");
            assertThat(state(child)).doesNotStartWith("T");
        }
    }

    /// The letter that `ps` gives the process; T is stopped.
    private static String state(ChildProcess child) throws Exception {
        var ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(child.pid())).start();
        return new String(ps.getInputStream().readAllBytes()).strip();
    }

    @Test
    void namesTheProgramThatDoesNotExist() {
        assertThatThrownBy(() -> ProcessSpec.command("x", folder.resolve("x.log"), "no-such-program")
                        .start())
                .hasMessageContaining("no-such-program");
    }

    @Test
    void beginsWithAnEmptyLog() throws Exception {
        // Given
        Files.writeString(folder.resolve("child.log"), "of yesterday: ready\n");
        // When
        try (var child = shell("echo today", Map.of())) {
            child.awaitLine("today", SOON);
            // Then
            assertThat(child.output()).isEqualTo("today\n");
        }
    }

    @Test
    void keepsAnEarlierRunsLogWhenAskedToAndDoesNotMistakeItForItsOwn() throws Exception {
        // Given
        Path log = Files.writeString(folder.resolve("child.log"), "of yesterday: ready\n");
        // When
        try (var child = ProcessSpec.command("child", log, "sh", "-c", "echo of today: ready")
                .appending()
                .start()) {
            // Then
            assertThat(child.awaitLine("ready", SOON)).isEqualTo("of today: ready");
            assertThat(log).hasContent("of yesterday: ready\nof today: ready\n");
        }
    }

    private ChildProcess shell(String script, Map<String, String> environment) {
        return ProcessSpec.command("child", folder.resolve("child.log"), "sh", "-c", script)
                .with(environment)
                .start();
    }
}
