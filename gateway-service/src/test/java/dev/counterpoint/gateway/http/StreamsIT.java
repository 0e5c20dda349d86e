package dev.counterpoint.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.ProbeResource;
import dev.counterpoint.validator.testkit.SseReader;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(GatewayDatabase.class)
class StreamsIT {
    private static final Api CALLER = new Api(GatewayDatabase.BOOTSTRAP_KEY);

    @Test
    void aStreamIsWrittenAsOpenAiWritesIt() throws Exception {
        // When
        var answer = CALLER.get("/v1/probe/stream/whole/whole");

        // Then
        assertThat(new String(answer.http().body(), UTF_8)).isEqualTo("""
                event: probe
                data: {"turn":1}

                event: probe
                data: {"turn":2}

                event: probe
                data: {"turn":3}

                """);
        assertThat(answer.header("content-type")).isEqualToIgnoringCase("text/event-stream;charset=utf-8");
        assertThat(answer.header("cache-control")).isEqualTo("no-store, no-transform");
        assertThat(answer.header("x-accel-buffering")).isEqualTo("no");
        assertThat(answer.header("content-encoding")).isEmpty();
        assertThat(ProbeResource.isAbandoned("whole")).isTrue();
    }

    @Test
    void silenceIsFilledWithCommentsUntilTheClientLeaves() throws Exception {
        // Given
        var stream = CALLER.stream("/v1/probe/stream/idle/idle");

        // When
        try (var reader = SseReader.unchecked(stream.body(), "a probe's own words")) {
            assertThat(reader.next().orElseThrow().comment()).isEqualTo("keep-alive");
            assertThat(reader.next().orElseThrow().comment()).isEqualTo("keep-alive");
        }

        // Then
        assertThat(ProbeResource.isAbandoned("idle")).isTrue();
    }

    @Test
    void aClientThatReadsNothingIsCutOff() throws Exception {
        // Given
        var uri = Api.uri("/v1/probe/stream/endless/unread");
        try (var socket = new Socket(uri.getHost(), uri.getPort())) {
            // When
            socket.getOutputStream()
                    .write("""
                    GET %s HTTP/1.1\r
                    Host: %s\r
                    Authorization: Bearer %s\r
                    \r
                    """.formatted(uri.getPath(), uri.getAuthority(), GatewayDatabase.BOOTSTRAP_KEY)
                            .getBytes(UTF_8));

            // Then
            assertThat(ProbeResource.isAbandoned("unread")).isTrue();
        }
    }

    @Test
    void aClientThatFellBehindIsNotToldThatThisWasAll() throws Exception {
        // Given
        var stream = CALLER.stream("/v1/probe/stream/lost/lost");

        // When
        try (var reader = SseReader.unchecked(stream.body(), "a probe's own words")) {
            assertThat(reader.next().orElseThrow().data()).isEqualTo("{\"turn\":1}");

            // Then
            assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aStreamThatBreaksIsNotTakenForAWholeOne() throws Exception {
        // Given
        var stream = CALLER.stream("/v1/probe/stream/late/late");

        // When
        try (var reader = SseReader.unchecked(stream.body(), "a probe's own words")) {
            assertThat(reader.next().orElseThrow().data()).isEqualTo("{\"turn\":1}");

            // Then
            assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
        }
        assertThat(ProbeResource.isAbandoned("late")).isTrue();
    }
}
