package dev.counterpoint.openai.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// One block of a server-sent event stream, in OpenAI's spelling. Write each block whole and flush it:
/// some clients lose an event that arrives in two pieces.
public final class SseFrame {
    private static final byte[] EVENT = "event: ".getBytes(UTF_8);
    private static final byte[] DATA = "data: ".getBytes(UTF_8);
    private static final byte[] END = "\n\n".getBytes(UTF_8);
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(UTF_8);

    private SseFrame() {}

    /// The form of the Responses API: the event's name, then its body.
    public static byte[] event(String name, Object body) {
        var frame = new ByteArrayOutputStream();
        frame.writeBytes(EVENT);
        frame.writeBytes(name.getBytes(UTF_8));
        frame.write('\n');
        return data(frame, body);
    }

    /// The form of Chat Completions: the body alone.
    public static byte[] data(Object body) {
        return data(new ByteArrayOutputStream(), body);
    }

    /// The last block of either API's stream.
    public static byte[] done() {
        return DONE.clone();
    }

    /// A line that clients ignore; it keeps idle connections open.
    ///
    /// @throws IllegalArgumentException when the text holds a line break
    public static byte[] comment(String text) {
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("a comment is one line");
        }
        return (": " + text + "\n\n").getBytes(UTF_8);
    }

    private static byte[] data(ByteArrayOutputStream frame, Object body) {
        frame.writeBytes(DATA);
        frame.writeBytes(WireJson.writeBytes(body)); // JSON escapes line breaks, so this is one line
        frame.writeBytes(END);
        return frame.toByteArray();
    }
}
