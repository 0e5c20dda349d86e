package dev.counterpoint.gateway.http;

import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.openai.json.SseFrame;
import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes a stream of server-sent events by a [StreamWriter], and a comment whenever nothing was said for a while. A
/// client that takes nothing for too long is treated as gone.
///
/// What the source throws before its first block is answered as any other error is; afterwards it breaks the
/// connection, so that no client takes half a stream for a whole one.
public final class SseBody implements StreamingOutput {
    private static final MediaType EVENT_STREAM = MediaType.SERVER_SENT_EVENTS_TYPE.withCharset("utf-8");
    private static final long CLOSE_SECONDS_MAX = 2;
    private static final int LOOKS_PER_WRITE_TIMEOUT = 4;
    private static final byte[] KEEP_ALIVE = SseFrame.comment("keep-alive");

    private final StreamWriter writer;
    private final Patience patience;
    private final RoutingContext http;
    private final CountDownLatch over = new CountDownLatch(1);
    /// Since when a write has been waiting for the client; 0 while none does.
    private volatile long writingSinceNanos;

    private SseBody(EventSource source, Patience patience, RoutingContext http) {
        writer = new StreamWriter(source, patience.silence);
        this.patience = patience;
        this.http = http;
    }

    /// The longest silences of the two sides.
    ///
    /// @param silence after which a comment is sent
    /// @param write after which a client that takes nothing counts as gone
    public record Patience(Duration silence, Duration write) {
        public static Patience of(GatewayConfig config) {
            return new Patience(config.keepAlive(), config.writeTimeout());
        }
    }

    /// The answer that streams `source` to its end, and abandons it when the client leaves before.
    ///
    /// @param http the request at hand; the only one that learns early that a client has left
    public static Response answer(EventSource source, Patience patience, RoutingContext http) {
        var body = new SseBody(source, patience, http);
        ClientDisconnect.listen(http, body::leave);
        return Response.ok(body, EVENT_STREAM)
                .header("Cache-Control", "no-store, no-transform")
                .header("X-Accel-Buffering", "no") // nginx holds a stream back otherwise
                .build();
    }

    @Override
    public void write(OutputStream out) throws IOException {
        long lookEvery = Math.max(1, patience.write.toMillis() / LOOKS_PER_WRITE_TIMEOUT);
        long timer = http.vertx().setPeriodic(lookEvery, _ -> severIfStuck());
        try {
            writer.writeTo(new Body(out));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while streaming");
        } catch (RuntimeException e) {
            breakConnection();
            throw e;
        } finally {
            http.vertx().cancelTimer(timer);
            writer.leave();
        }
    }

    private void leave() {
        over.countDown();
        writer.leave();
    }

    /// The framework would reset it too, but then a shutdown that waits for open requests would wait for this one for
    /// ever; so it is closed first, and seen to be.
    private void breakConnection() {
        if (!http.response().headWritten()) {
            return;
        }
        sever();
        try {
            var _ = over.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void severIfStuck() {
        long since = writingSinceNanos;
        if (since != 0 && System.nanoTime() - since > patience.write.toNanos()) {
            sever();
        }
    }

    /// Closes the socket itself: the connection would first send all that waits in it, to a client that takes
    /// nothing. Where a connection carries several requests, only this one is over.
    private void sever() {
        var connection = http.request().connection();
        if (http.request().version() == HttpVersion.HTTP_2) {
            http.response().reset();
        } else if (connection instanceof ConnectionBase underneath) {
            underneath.channelHandlerContext().close();
        } else {
            connection.close();
        }
    }

    /// The body of the answer.
    private final class Body implements StreamWriter.Transport {
        private final OutputStream out;

        private Body(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(List<byte[]> blocks) throws IOException {
            var together = new ByteArrayOutputStream();
            blocks.forEach(together::writeBytes);
            long now = System.nanoTime();
            writingSinceNanos = now == 0 ? 1 : now;
            try {
                out.write(together.toByteArray());
                out.flush(); // waits while the client is slow
            } finally {
                writingSinceNanos = 0;
            }
        }

        @Override
        public byte[] keepAlive() {
            return KEEP_ALIVE;
        }

        @Override
        public @Nullable EventLoop loop() {
            return http.request().connection() instanceof ConnectionBase connection
                    ? connection.getContext().nettyEventLoop()
                    : null;
        }

        @Override
        public void writeOnLoop(List<byte[]> blocks) {
            var together = Buffer.buffer();
            blocks.forEach(together::appendBytes);
            http.response().write(together);
        }

        @Override
        public boolean isFull() {
            return http.response().writeQueueFull();
        }

        @Override
        public boolean isClosed() {
            return http.response().closed();
        }

        @Override
        public void sever() {
            breakConnection();
        }
    }
}
