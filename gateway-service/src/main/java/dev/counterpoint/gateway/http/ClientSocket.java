package dev.counterpoint.gateway.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A client's WebSocket: reads its messages one by one, writes streams into it as text messages, and pings it. A client
/// that takes nothing for too long, or answers no ping, is treated as gone. Thread-safe.
public final class ClientSocket implements StreamTransport {
    /// Messages that wait to be read; the connection is not read further meanwhile.
    private static final int INBOX_MAX = 16;
    /// Bytes of messages that leave in one write.
    private static final int TOGETHER_MAX = 8_000;

    private final ServerWebSocket socket;
    private final ChannelHandlerContext channel;
    private final EventLoop loop;
    private final SseBody.Patience patience;
    private final ArrayDeque<String> inbox = new ArrayDeque<>();
    private final Set<StreamWriter> writers = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean reading;
    private volatile boolean closed;
    /// When the client was heard last: a message, or the answer to a ping.
    private volatile long heardNanos = System.nanoTime();

    /// Hears of a socket. Its methods are called by one thread at a time each, and may block.
    public interface Listener {
        /// @param text a message of the client
        void message(byte[] text);

        /// Is called with each ping.
        void look();

        /// The connection is gone, whoever closed it.
        void closed();
    }

    /// What a socket needs before its first message.
    @FunctionalInterface
    public interface Opening {
        Listener of(ClientSocket socket);
    }

    private ClientSocket(ServerWebSocket socket, ConnectionBase connection, SseBody.Patience patience) {
        this.socket = socket;
        this.patience = patience;
        channel = connection.channelHandlerContext();
        loop = connection.getContext().nettyEventLoop();
    }

    /// Upgrades the connection of a request. On its event loop; the request's body was not read.
    ///
    /// @return a failure where the request is no upgrade that can be taken; it was answered then
    public static Future<Void> open(RoutingContext http, SseBody.Patience patience, Opening opening) {
        var connection = (ConnectionBase) http.request().connection();
        http.response().putHeader("x-request-id", RequestId.of(http));
        return http.request()
                .toWebSocket()
                .onSuccess(socket -> new ClientSocket(socket, connection, patience).begin(http, opening))
                .mapEmpty();
    }

    private void begin(RoutingContext http, Opening opening) {
        var listener = opening.of(this);
        long timer = http.vertx().setPeriodic(patience.silence().toMillis(), _ -> ping(listener));
        socket.textMessageHandler(text -> take(text, listener))
                .binaryMessageHandler(bytes -> take(bytes.toString(StandardCharsets.UTF_8), listener))
                .pongHandler(_ -> heardNanos = System.nanoTime())
                .drainHandler(_ -> signal())
                .exceptionHandler(_ -> {}) // a broken connection closes too
                .closeHandler(_ -> {
                    http.vertx().cancelTimer(timer);
                    closed = true;
                    signal();
                    writers.forEach(StreamWriter::leave);
                    Thread.startVirtualThread(listener::closed);
                });
    }

    private void ping(Listener listener) {
        var patient = patience.silence().plus(patience.write());
        if (System.nanoTime() - heardNanos > patient.toNanos()) {
            sever();
            return;
        }
        if (!isFull() && !socket.isClosed()) {
            socket.writePing(Buffer.buffer());
        }
        Thread.startVirtualThread(listener::look);
    }

    private void take(String text, Listener listener) {
        heardNanos = System.nanoTime();
        synchronized (inbox) {
            inbox.add(text);
            if (inbox.size() == INBOX_MAX) {
                socket.pause();
            }
            if (!reading) {
                reading = true;
                Thread.ofVirtual().name("socket-reader").start(() -> read(listener));
            }
        }
    }

    private void read(Listener listener) {
        for (var next = nextMessage(); next != null; next = nextMessage()) {
            listener.message(next.getBytes(StandardCharsets.UTF_8));
        }
    }

    private @Nullable String nextMessage() {
        synchronized (inbox) {
            var next = inbox.poll();
            reading = next != null;
            if (inbox.size() == INBOX_MAX - 1) {
                loop.execute(socket::resume);
            }
            return next;
        }
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

    /// Closes the connection, after what was written.
    ///
    /// @param reason at most 123 bytes
    public void close(int code, String reason) {
        socket.close((short) code, reason);
    }

    @Override
    public void write(Iterable<byte[]> blocks) throws IOException, InterruptedException {
        var together = new ArrayList<byte[]>();
        int bytes = 0;
        for (var block : blocks) {
            if (bytes > 0 && bytes + block.length > TOGETHER_MAX) {
                writeOut(List.copyOf(together));
                together.clear();
                bytes = 0;
            }
            together.add(block);
            bytes += block.length;
        }
        writeOut(together);
    }

    private void writeOut(List<byte[]> blocks) throws IOException, InterruptedException {
        awaitRoom();
        loop.submit(() -> writeOnLoop(blocks)).sync();
    }

    private void awaitRoom() throws IOException, InterruptedException {
        long left = patience.write().toNanos();
        lock.lockInterruptibly();
        try {
            while (!isClosed() && isFull() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
        if (left <= 0) {
            sever();
        }
        if (isClosed() || left <= 0) {
            throw new IOException("the client has left");
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
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
