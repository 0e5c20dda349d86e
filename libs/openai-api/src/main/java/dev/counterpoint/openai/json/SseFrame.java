package dev.counterpoint.openai.json;

import static java.nio.charset.StandardCharsets.UTF_8;

/// One block of a server-sent event stream, in OpenAI's spelling; a body is one line, since JSON escapes line breaks.
/// Write each block whole and flush it: some clients lose an event that arrives in two pieces.
public final class SseFrame {
    private static final byte[] DATA = "data: ".getBytes(UTF_8);
    private static final byte[] END = "\n\n".getBytes(UTF_8);
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(UTF_8);

    private SseFrame() {}

    /// The form of the Responses API: the event's name, then its body.
    public static byte[] event(String name, Object body) {
        return WireJson.writeBetween(("event: " + name + "\ndata: ").getBytes(UTF_8), body, END);
    }

    /// The form of Chat Completions: the body alone.
    public static byte[] data(Object body) {
        return WireJson.writeBetween(DATA, body, END);
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
}
