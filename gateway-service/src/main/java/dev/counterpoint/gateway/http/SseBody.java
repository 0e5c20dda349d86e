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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Writes a stream of server-sent events, one flush for each, and a comment whenever nothing was said for a
/// while. A slow client blocks the loop at its flush, so what is behind the source must be bounded.
///
/// What the source throws before its first block is answered as any other error is; afterwards it breaks the
/// connection, so that no client takes half a stream for a whole one.
public final class SseBody implements StreamingOutput {
    private static final MediaType EVENT_STREAM = MediaType.SERVER_SENT_EVENTS_TYPE.withCharset("utf-8");
    private static final long CLOSE_SECONDS_MAX = 2;
    private static final byte[] KEEP_ALIVE = SseFrame.comment("keep-alive");

    private final EventSource source;
    private final long keepAliveMillis;
    private final RoutingContext http;
    private final CountDownLatch over = new CountDownLatch(1);

    private SseBody(EventSource source, Duration keepAlive, RoutingContext http) {
        this.source = source;
        this.keepAliveMillis = keepAlive.toMillis();
        this.http = http;
    }

    /// The answer that streams `source` to its end, and abandons it when the client leaves before.
    ///
    /// @param http the request at hand; the only one that learns early that a client has left
    public static Response answer(EventSource source, Duration keepAlive, RoutingContext http) {
        var body = new SseBody(source, keepAlive, http);
        http.addEndHandler(_ -> {
            body.over.countDown();
            source.abandon();
        });
        if (http.response().closed()) {
            source.abandon(); // it left before we listened
        }
        return Response.ok(body, EVENT_STREAM)
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
        } catch (RuntimeException e) {
            breakConnection();
            throw e;
        } finally {
            source.abandon();
        }
    }

    /// The framework would reset it too, but then a shutdown that waits for open requests would wait for this one for
    /// ever; so it is closed first, and seen to be.
    private void breakConnection() {
        if (!http.response().headWritten()) {
            return;
        }
        http.request().connection().close();
        try {
            var _ = over.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(byte[] block, OutputStream out) throws IOException {
        out.write(block);
        out.flush(); // waits while the client is slow
    }
}
