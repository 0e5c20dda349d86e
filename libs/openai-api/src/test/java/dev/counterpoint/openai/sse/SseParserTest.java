package dev.counterpoint.openai.sse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseParserTest {
    private static final String STREAM =
            "event: a\ndata: {\"text\":\"grüß\"}\n\n: keep-alive\r\n\r\nid: 7\rretry: 10\rdata:one\rdata: two\r\r";
    private static final List<SseEvent> EVENTS = List.of(
            new SseEvent("a", null, "{\"text\":\"grüß\"}", null),
            new SseEvent(null, null, "", "keep-alive"),
            new SseEvent(null, "7", "one\ntwo", null));

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void findsTheSameEventsInWhateverPiecesTheyCome(int length) {
        // Given
        var parser = new SseParser();
        var bytes = STREAM.getBytes(UTF_8);
        var events = new ArrayList<SseEvent>();

        // When
        for (int from = 0; from < bytes.length; from += length) {
            events.addAll(parser.accept(bytes, from, Math.min(length, bytes.length - from)));
        }

        // Then
        assertThat(events).isEqualTo(EVENTS);
        assertThat(parser.incomplete()).isEmpty();
    }

    @Test
    void tellsWhatWasCutOff() {
        var parser = new SseParser();

        assertThat(accept(parser, "data: whole\n\nevent: b\ndata: ha"))
                .containsExactly(new SseEvent(null, null, "whole", null));
        assertThat(parser.incomplete()).isEqualTo("event: b\ndata: ha");
    }

    @Test
    void skipsAByteOrderMarkAndKeepsEverythingElse() {
        assertThat(accept(new SseParser(), "\uFEFFdata:  x\ndata: y\ndata:\n\n"))
                .containsExactly(new SseEvent(null, null, " x\ny\n", null));
    }

    @Test
    void holdsNoBlockWithoutEnd() {
        var parser = new SseParser();
        var megabyte = new byte[1 << 20];

        for (int i = 0; i < SseParser.BLOCK_BYTES_MAX / megabyte.length; i++) {
            parser.accept(megabyte, 0, megabyte.length);
        }

        assertThatIllegalStateException().isThrownBy(() -> parser.accept(megabyte, 0, 1));
    }

    private static List<SseEvent> accept(SseParser parser, String text) {
        var bytes = text.getBytes(UTF_8);
        return parser.accept(bytes, 0, bytes.length);
    }
}
