package dev.counterpoint.gateway.http;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the blocks of one stream go: the body of an HTTP answer, or a lane of a WebSocket.
interface StreamTransport {
    /// Writes blocks in order; waits while the client is slow. Never on an event loop.
    ///
    /// @throws IOException when the client has left, or takes nothing for too long
    void write(Iterable<byte[]> blocks) throws IOException, InterruptedException;

    /// The block that fills a silence; null where the transport needs none.
    byte @Nullable [] keepAlive();

    /// The connection's event loop; null where it cannot write.
    @Nullable
    EventLoop loop();

    /// Writes blocks on the event loop, without waiting.
    void writeOnLoop(List<byte[]> blocks);

    /// True if the client takes less than it gets.
    boolean isFull();

    boolean isClosed();

    /// Breaks the connection, so that no client takes half a stream for a whole one.
    void sever();
}
