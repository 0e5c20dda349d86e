package dev.counterpoint.gateway.http;

import dev.counterpoint.servicekit.RequestEnd;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client's WebSocket: reads its messages one by one, writes streams into it as text messages, and pings it. A client
/// that takes nothing for too long, or sends nothing after a ping, is treated as gone. Thread-safe.
public final class ClientSocket implements StreamWriter.Transport {
    private static final int TOO_BIG = 1009;

    private final ServerWebSocket socket;
    private final ChannelHandlerContext channel;
    private final EventLoop loop;
    private final SseBody.Patience patience;
    private final Set<StreamWriter> writers = ConcurrentHashMap.newKeySet();
    private final UnreadPart unread = new UnreadPart();
    /// True from the close frame on.
    private volatile boolean closed;
    /// When the client was heard last, be it a part of a message or the answer to a ping.
    private volatile long heardNanos = System.nanoTime();
    /// When the client took what had waited.
    private volatile long roomNanos = System.nanoTime();
    /// Whether much waited at the last look, and since which look. On the event loop.
    private boolean full;

    private long fullNanos;

    /// Hears of a socket. Its methods may block, but for [#look].
    public interface Listener {
        /// Is called by one thread at a time.
        ///
        /// @param text a message of the client
        void message(byte[] text);

        /// Is called with each ping.
        void look(long nowNanos);

        /// The connection is gone.
        void closed();
    }

    /// Bytes that came since the last message. On the event loop.
    private static final class UnreadPart {
        /// No more than the pings of an hour.
        private static final int SMALL = 256 * 1024;
        private static final Duration LARGE_MAX = Duration.ofMinutes(2);

        private long bytes;
        private long largeNanos;

        private void add(int more) {
            if (bytes <= SMALL) {
                largeNanos = System.nanoTime();
            }
            bytes += more;
        }

        private void clear() {
            bytes = 0;
        }

        /// True if the client has been sending one long message for too long.
        private boolean isOverdue(long now) {
            return bytes > SMALL && now - largeNanos > LARGE_MAX.toNanos();
        }
    }

    private ClientSocket(ServerWebSocket socket, ConnectionBase connection, SseBody.Patience patience) {
        this.socket = socket;
        this.patience = patience;
        channel = connection.channelHandlerContext();
        loop = connection.getContext().nettyEventLoop();
    }

    /// Upgrades the connection of a request; the server answers one that is no upgrade. On its event loop; the
    /// request's body was not read.
    public static void open(
            RoutingContext http, SseBody.Patience patience, Function<ClientSocket, Listener> listening) {
        var connection = (ConnectionBase) http.request().connection();
        http.response().putHeader("x-request-id", RequestId.of(http));
        http.request().toWebSocket().onSuccess(socket -> {
            var client = new ClientSocket(socket, connection, patience);
            client.begin(http, listening.apply(client));
        });
    }

    private void begin(RoutingContext http, Listener listener) {
        long timer = http.vertx().setPeriodic(patience.silence().toMillis(), _ -> ping(listener));
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                heardNanos = System.nanoTime();
                unread.add(((ByteBuf) bytes).readableBytes());
                context.fireChannelRead(bytes);
            }
        });
        // The answers to pings are written however little their sender reads; RFC 6455 wants the last one's only.
        channel.pipeline().addBefore(channel.name(), null, new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object frame) {
                if (frame instanceof PingWebSocketFrame ping && isFull()) {
                    ping.release();
                } else {
                    context.fireChannelRead(frame);
                }
            }
        });
        socket.textMessageHandler(text -> take(text, listener))
                .binaryMessageHandler(bytes -> take(bytes.toString(StandardCharsets.UTF_8), listener))
                .drainHandler(_ -> {
                    roomNanos = System.nanoTime();
                    signal();
                })
                .exceptionHandler(_ -> close(TOO_BIG, "The message is too long, or the connection is broken."))
                .closeHandler(_ -> {
                    http.vertx().cancelTimer(timer);
                    closed = true;
                    signal();
                    writers.forEach(StreamWriter::leave);
                    RequestEnd.ofUpgraded(http);
                    Thread.startVirtualThread(listener::closed);
                });
    }

    private void ping(Listener listener) {
        long now = System.nanoTime();
        boolean silent =
                now - heardNanos > patience.silence().plus(patience.write()).toNanos();
        if (silent || isStuck(now) || unread.isOverdue(now)) {
            sever();
            return;
        }
        if (!isFull() && !isClosed()) {
            socket.writePing(Buffer.buffer());
        }
        listener.look(now);
    }

    /// True if the client has taken nothing since a look that is too long ago. On the event loop.
    private boolean isStuck(long now) {
        boolean still = full && fullNanos - roomNanos > 0;
        full = isFull();
        if (!full || !still) {
            fullNanos = now;
        }
        return now - fullNanos > patience.write().toNanos();
    }

    /// The connection is not read further until the message was.
    private void take(String text, Listener listener) {
        unread.clear();
        channel.channel().config().setAutoRead(false);
        socket.pause(); // alone it lets some frames more come
        Thread.ofVirtual().name("socket-reader").start(() -> {
            try {
                listener.message(text.getBytes(StandardCharsets.UTF_8));
            } finally {
                heardNanos = System.nanoTime();
                loop.execute(() -> {
                    channel.channel().config().setAutoRead(true);
                    socket.resume();
                });
            }
        });
    }

    /// Writes a stream to its end, and abandons it when the client leaves before.
    ///
    /// @throws IOException when the client has left
    public void write(EventSource source) throws IOException, InterruptedException {
        var writer = new StreamWriter(source, patience.silence());
        writers.add(writer);
        try {
            writer.writeTo(this);
        } finally {
            writers.remove(writer);
            writer.leave();
        }
    }

    /// Closes the connection, after what was written; nothing is written any more.
    ///
    /// @param reason at most 123 bytes
    public void close(int code, String reason) {
        closed = true;
        socket.close((short) code, reason);
    }

    @Override
    public void write(List<byte[]> blocks) throws IOException, InterruptedException {
        awaitRoom();
        loop.submit(() -> writeOnLoop(blocks)).sync();
    }

    private synchronized void awaitRoom() throws IOException, InterruptedException {
        long start = System.nanoTime();
        long left = patience.write().toNanos();
        while (!isClosed() && isFull() && left > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            long now = System.nanoTime();
            left = patience.write().toNanos() - Math.min(now - start, now - roomNanos);
        }
        if (left <= 0) {
            sever();
        }
        if (isClosed() || left <= 0) {
            throw new IOException("the client has left");
        }
    }

    private synchronized void signal() {
        notifyAll();
    }

    /// The pings of the socket fill all silences.
    @Override
    public byte @Nullable [] keepAlive() {
        return null;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    /// All messages leave in one flush, which the socket's own methods do not offer.
    @Override
    public void writeOnLoop(List<byte[]> blocks) {
        for (var block : blocks) {
            channel.write(new TextWebSocketFrame(Unpooled.wrappedBuffer(block)), channel.voidPromise());
        }
        channel.flush();
    }

    @Override
    public boolean isFull() {
        return !channel.channel().isWritable();
    }

    @Override
    public boolean isClosed() {
        return closed || !channel.channel().isActive();
    }

    /// Does not first send what waits, to a client that takes nothing.
    @Override
    public void sever() {
        channel.close();
    }
}
