package dev.counterpoint.openai.sse;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes the bytes of a `text/event-stream` body in whatever pieces they come and gives back each event as soon as
/// its empty line is there. Lines end in LF, CR LF or CR, as the HTML standard allows. A block of nothing but
/// comments is an event too, because keep-alives are worth seeing. Not thread-safe.
public final class SseParser {
    /// Bytes of one block at most.
    public static final int BLOCK_BYTES_MAX = 32 << 20;

    /// The beginning of a line whose end has not come.
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
    private Block block = new Block();
    private int blockBytes;
    private boolean startOfStream = true;
    private boolean afterCarriageReturn;

    /// The events that these bytes complete, in order.
    ///
    /// @throws IllegalStateException when a block is larger than [#BLOCK_BYTES_MAX]
    public List<SseEvent> accept(byte[] bytes, int from, int length) {
        var events = new ArrayList<SseEvent>();
        int end = from + length;
        int at = from;
        while (at < end) {
            if (afterCarriageReturn && bytes[at] == '\n') {
                at++;
                afterCarriageReturn = false;
                continue;
            }
            int lineEnd = lineEnd(bytes, at, end);
            blockBytes += lineEnd - at;
            if (blockBytes > BLOCK_BYTES_MAX) {
                throw new IllegalStateException("a block of more than " + BLOCK_BYTES_MAX + " bytes");
            }
            if (lineEnd < end) {
                take(line(bytes, at, lineEnd), events);
            } else {
                begun.write(bytes, at, lineEnd - at);
            }
            afterCarriageReturn = lineEnd < end && bytes[lineEnd] == '\r';
            at = lineEnd + 1;
        }
        return events;
    }

    private static int lineEnd(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '\n' && bytes[at] != '\r') {
            at++;
        }
        return at;
    }

    private String line(byte[] bytes, int from, int end) {
        if (begun.size() == 0) {
            return new String(bytes, from, end - from, UTF_8);
        }
        begun.write(bytes, from, end - from);
        var line = begun.toString(UTF_8);
        begun.reset();
        return line;
    }

    private void take(String line, List<SseEvent> events) {
        if (!line.isEmpty()) {
            block.add(startOfStream && line.startsWith("\uFEFF") ? line.substring(1) : line);
            startOfStream = false;
        } else if (!block.lines.isEmpty()) {
            events.add(block.event());
            block = new Block();
            blockBytes = 0;
        }
    }

    /// The received part of an event whose empty line is still missing; empty between events.
    public String incomplete() {
        var lines = new ArrayList<>(block.lines);
        if (begun.size() > 0) {
            lines.add(begun.toString(UTF_8));
        }
        return String.join("\n", lines);
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
                    event,
                    id,
                    data.size() == 1 ? data.getFirst() : String.join("\n", data),
                    comments.isEmpty() ? null : String.join("\n", comments));
        }
    }
}
