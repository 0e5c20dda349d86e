package dev.counterpoint.gateway.http;

import dev.counterpoint.openai.json.SseFrame;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;

/// Writes a stream of server-sent events, one flush for each, and a comment whenever nothing was said for a
/// while. A slow client blocks the loop at its flush, so what is behind the source must be bounded.
///
/// What the source throws before its first block is answered as any other error is; afterwards it breaks the
/// connection, so that no client takes half a stream for a whole one.
public final class SseBody implements StreamingOutput {
    private static final MediaType EVENT_STREAM = MediaType.SERVER_SENT_EVENTS_TYPE.withCharset("utf-8");
    private static final byte[] KEEP_ALIVE = SseFrame.comment("keep-alive");

    private final EventSource source;
    private final long keepAliveMillis;

    SseBody(EventSource source, Duration keepAlive) {
        this.source = source;
        this.keepAliveMillis = keepAlive.toMillis();
    }

    /// The answer that streams `source` to its end, and abandons it when the client leaves before.
    ///
    /// @param http the request at hand; the only one that learns early that a client has left
    public static Response answer(EventSource source, Duration keepAlive, RoutingContext http) {
        http.addEndHandler(_ -> source.abandon());
        if (http.response().closed()) {
            source.abandon();
        }
        return Response.ok(new SseBody(source, keepAlive), EVENT_STREAM)
                .header("Cache-Control", "no-store, no-transform")
                .header("X-Accel-Buffering", "no") // nginx holds a stream back otherwise
                .build();
    }

    @Override
    public void write(OutputStream out) throws IOException {
        try {
            while (true) {
                switch (source.next(keepAliveMillis)) {
                    case EventSource.Step.Blocks(var blocks) -> {
                        for (var block : blocks) {
                            write(block, out);
                        }
                    }
                    case EventSource.Step.Pause _ -> write(KEEP_ALIVE, out);
                    case EventSource.Step.End _ -> {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while streaming");
        } finally {
            source.abandon();
        }
    }

    private static void write(byte[] block, OutputStream out) throws IOException {
        out.write(block);
        out.flush(); // waits while the client is slow
    }
}
