package dev.counterpoint.gateway.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes one stream to its client, whatever its transport. The beginning, the end, and all that a slow client gets
/// are written by the thread that asks: such a client blocks it, so what is behind the source must be bounded. Between,
/// the connection's event loop writes new output.
final class StreamWriter {
    private final EventSource source;
    private final Duration silence;
    /// While the event loop writes.
    private volatile @Nullable LoopWriter handedOver;

    /// @param silence after which the transport's keep-alive is written
    StreamWriter(EventSource source, Duration silence) {
        this.source = source;
        this.silence = silence;
    }

    /// Writes the stream to its end, or until the client leaves.
    void writeTo(StreamTransport to) throws IOException, InterruptedException {
        while (true) {
            switch (source.next(silence.toMillis())) {
                case EventSource.Step.Blocks(var blocks) -> {
                    to.write(blocks);
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

    /// Returns when the rest, or a part of it, needs this thread.
    private void letLoopWrite(StreamTransport to) throws InterruptedException {
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
