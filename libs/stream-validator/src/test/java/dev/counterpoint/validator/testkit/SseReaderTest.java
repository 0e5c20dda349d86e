package dev.counterpoint.validator.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.openai.sse.SseEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class SseReaderTest {
    private static final String STREAM =
            "event: a\ndata: {\"text\":\"grüß\"}\n\n: keep-alive\n\ndata: one\ndata: two\nid: 7\n\n";
    private static final List<SseEvent> EVENTS = List.of(
            new SseEvent("a", null, "{\"text\":\"grüß\"}", null),
            new SseEvent(null, null, "", "keep-alive"),
            new SseEvent(null, "7", "one\ntwo", null));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void readsTheSameEventsWhateverChunksTheyComeIn(int chunk) throws IOException {
        assertThat(unchecked(new Chunked(STREAM.getBytes(UTF_8), chunk)).readAll())
                .isEqualTo(EVENTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void takesEveryLineEndOfTheStandard(String lineEnd) throws IOException {
        assertThat(reader(STREAM.replace("\n", lineEnd)).readAll()).isEqualTo(EVENTS);
    }

    @Test
    void returnsAnEventBeforeAnythingFollowsIt() throws IOException {
        // Given
        try (var server = new PipedOutputStream();
                var reader = unchecked(new PipedInputStream(server))) {
            // When
            server.write("data: now\r\n\r".getBytes(UTF_8));
            server.flush();
            // Then
            assertThat(reader.next()).contains(new SseEvent(null, null, "now", null));
        }
    }

    @Test
    void keepsAnUnfinishedEventApart() throws IOException {
        // Given
        var reader = reader("data: whole\n\nevent: b\ndata: cu");
        // When
        var events = reader.readAll();
        // Then
        assertThat(events).containsExactly(new SseEvent(null, null, "whole", null));
        assertThat(reader.incomplete()).isEqualTo("event: b\ndata: cu");
    }

    @Test
    void stripsOneBlankAfterTheColonAndNoMore() throws IOException {
        assertThat(reader("\uFEFFdata:  x\ndata:y\ndata\n\n").readAll())
                .containsExactly(new SseEvent(null, null, " x\ny\n", null));
    }

    private static SseReader reader(String text) {
        return unchecked(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    private static SseReader unchecked(InputStream body) {
        return SseReader.unchecked(body, "it is about the form alone");
    }

    /// Gives at most `size` bytes at once, like a network.
    private static final class Chunked extends InputStream {
        private final ByteArrayInputStream bytes;
        private final int size;

        Chunked(byte[] bytes, int size) {
            this.bytes = new ByteArrayInputStream(bytes);
            this.size = size;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return bytes.read(into, offset, Math.min(length, size));
        }
    }
}
