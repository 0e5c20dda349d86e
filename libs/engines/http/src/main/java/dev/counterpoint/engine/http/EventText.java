package dev.counterpoint.engine.http;

import dev.counterpoint.openai.sse.SseParser;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bytes of an answer as the data of its events. Some servers answer with one JSON value and no events: that
/// is one event. Not thread-safe.
final class EventText {
    private static final byte[] LAST_LINES = {'\n', '\n'};

    private final SseParser parser = new SseParser();
    private boolean begun;
    /// The body of an answer that is no stream of events; null for a stream.
    private @Nullable ByteArrayOutputStream plain;

    /// The events that these bytes complete.
    ///
    /// @param bytes one at least
    /// @throws ServerFailure when an event is too long
    List<String> events(byte[] bytes) throws ServerFailure {
        if (!begun) {
            begun = true;
            plain = bytes[0] == '{' ? new ByteArrayOutputStream() : null;
        }
        if (plain == null) {
            return parsed(bytes);
        }
        if (plain.size() + bytes.length > SseParser.BLOCK_BYTES_MAX) {
            throw ServerFailure.wrong("an answer is longer than " + SseParser.BLOCK_BYTES_MAX + " bytes");
        }
        plain.writeBytes(bytes);
        return List.of();
    }

    /// What the end completes: some servers end without the last empty line.
    List<String> last() throws ServerFailure {
        return plain == null ? parsed(LAST_LINES) : List.of(plain.toString(StandardCharsets.UTF_8));
    }

    private List<String> parsed(byte[] bytes) throws ServerFailure {
        try {
            var events = new ArrayList<String>();
            for (var event : parser.accept(bytes, 0, bytes.length)) {
                // A comment keeps the connection open and says nothing.
                if (!event.data().isBlank()) {
                    events.add(event.data().strip());
                }
            }
            return events;
        } catch (IllegalStateException e) {
            throw ServerFailure.wrong("an event is longer than " + SseParser.BLOCK_BYTES_MAX + " bytes");
        }
    }
}
