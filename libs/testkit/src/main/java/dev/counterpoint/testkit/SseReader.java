package dev.counterpoint.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads a `text/event-stream` body as it arrives. An event is returned as soon as its empty line is there,
/// whatever chunks the bytes came in; lines end in LF, CR LF or CR, as the HTML standard allows. A block that
/// holds nothing but comments is returned too, because keep-alives are worth testing. What it reads is judged by the
/// rules of the API, see [StreamWitness]. Not thread-safe.
public final class SseReader implements AutoCloseable {
    private final InputStream body;
    private boolean startOfStream = true;
    private boolean afterCarriageReturn;
    private String incomplete = "";

    /// @throws IllegalStateException when nothing is there to judge the stream
    public SseReader(InputStream body) {
        this(new BufferedInputStream(new WitnessedStream(body)));
    }

    private SseReader(BufferedInputStream body) {
        this.body = body;
    }

    /// Reads a stream that is none of the API's, or that a test has broken.
    ///
    /// @param why for who reads the test
    public static SseReader unjudged(InputStream body, String why) {
        if (why.isBlank()) {
            throw new IllegalArgumentException("say why this stream is not judged");
        }
        return new SseReader(new BufferedInputStream(body));
    }

    /// The next event; blocks until it is whole. Empty at the end of the stream.
    public Optional<SseEvent> next() throws IOException {
        var block = new Block();
        for (@Nullable String line = line(); line != null; line = line()) {
            if (!line.isEmpty()) {
                block.add(line);
            } else if (!block.lines.isEmpty()) {
                return Optional.of(block.event());
            }
        }
        incomplete = String.join("\n", block.lines) + incomplete;
        return Optional.empty();
    }

    /// Everything up to the end of the stream.
    public List<SseEvent> readAll() throws IOException {
        var events = new ArrayList<SseEvent>();
        for (var event = next(); event.isPresent(); event = next()) {
            events.add(event.get());
        }
        return events;
    }

    /// After the end: what arrived of an event whose empty line never came; empty when the stream ended between events.
    public String incomplete() {
        return incomplete;
    }

    /// One line without its end; null when the stream ends, and then its unfinished rest is kept in [#incomplete].
    private @Nullable String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = body.read(); next >= 0; next = body.read()) {
            boolean secondHalf = next == '\n' && afterCarriageReturn;
            afterCarriageReturn = next == '\r';
            if (secondHalf) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                return text(line);
            }
            line.write(next);
        }
        if (line.size() > 0) {
            incomplete = "\n" + text(line);
        }
        return null;
    }

    private String text(ByteArrayOutputStream line) {
        String text = line.toString(UTF_8);
        boolean byteOrderMark = startOfStream && text.startsWith("\uFEFF");
        startOfStream = false;
        return byteOrderMark ? text.substring(1) : text;
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    private static final class Block {
        private final List<String> lines = new ArrayList<>();
        private final List<String> data = new ArrayList<>();
        private final List<String> comments = new ArrayList<>();
        private @Nullable String event;
        private @Nullable String id;

        private void add(String line) {
            lines.add(line);
            int colon = line.indexOf(':');
            String field = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
            switch (field) {
                case "" -> comments.add(value);
                case "data" -> data.add(value);
                case "event" -> event = value;
                case "id" -> id = value;
                default -> {
                    // Other fields have no meaning for us and are skipped, as the standard wants.
                }
            }
        }

        private SseEvent event() {
            return new SseEvent(
                    event, id, String.join("\n", data), comments.isEmpty() ? null : String.join("\n", comments));
        }
    }
}
