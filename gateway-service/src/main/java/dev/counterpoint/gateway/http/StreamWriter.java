package dev.counterpoint.gateway.http;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one stream to its client, whatever its transport. The beginning, the end, and all that a slow client gets
/// are written by the thread that asks: such a client blocks it, so what is behind the source must be bounded. Between,
/// the connection's event loop writes new output.
final class StreamWriter {
    /// Bytes that leave in one write; no more than the HTTP server's buffer, which would cut an event.
    private static final int TOGETHER_MAX = 8_000;

    private final EventSource source;
    private final Duration silence;
    /// While the event loop writes.
    private volatile @Nullable LoopWriter handedOver;

    /// Where the blocks of a stream go: the body of an HTTP answer, or a lane of a WebSocket.
    interface Transport {
        /// Writes blocks in order; waits while the client is slow. Never on an event loop.
        ///
        /// @throws IOException when the client has left, or takes nothing for too long
        void write(List<byte[]> blocks) throws IOException, InterruptedException;

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

    /// @param silence after which the transport's keep-alive is written
    StreamWriter(EventSource source, Duration silence) {
        this.source = source;
        this.silence = silence;
    }

    /// Writes the stream to its end, or until the client leaves.
    void writeTo(Transport to) throws IOException, InterruptedException {
        while (true) {
            switch (source.next(silence.toMillis())) {
                case EventSource.Step.Blocks(var blocks) -> {
                    write(blocks, to);
                    letLoopWrite(to);
                }
                case EventSource.Step.Pause _ -> {
                    var block = to.keepAlive();
                    if (block != null) {
                        to.write(List.of(block));
                    }
                }
                case EventSource.Step.End _ -> {
                    return;
                }
                case EventSource.Step.Lost _ -> {
                    to.sever();
                    throw new IOException("the client fell behind");
                }
            }
        }
    }

    /// Small blocks that come together leave together.
    private static void write(Iterable<byte[]> blocks, Transport to) throws IOException, InterruptedException {
        var together = new ArrayList<byte[]>();
        int bytes = 0;
        for (var block : blocks) {
            if (bytes > 0 && bytes + block.length > TOGETHER_MAX) {
                to.write(List.copyOf(together));
                together.clear();
                bytes = 0;
            }
            together.add(block);
            bytes += block.length;
        }
        if (bytes > 0) {
            to.write(together);
        }
    }

    /// Returns when the rest, or a part of it, needs this thread.
    private void letLoopWrite(Transport to) throws InterruptedException {
        var feed = source.feed();
        var loop = to.loop();
        if (feed == null || loop == null) {
            return;
        }
        var writing = new LoopWriter(source, feed, to, loop);
        handedOver = writing;
        writing.begin();
        while (!writing.awaitEnd(silence)) {
            writing.keepAlive(silence);
        }
        handedOver = null;
    }

    /// The client has left. Any thread, any number of times.
    void leave() {
        var writing = handedOver;
        if (writing != null) {
            writing.end();
        }
        source.abandon();
    }
}
