package dev.counterpoint.gateway.http;

import io.netty.channel.EventLoop;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes the middle of one stream on its connection's event loop: what came together goes out together. It ends when
/// something else than more of the output waits, when the client is slow, and when the client has left.
final class LoopWriter {
    private final EventSource source;
    private final LoopFeed feed;
    private final HttpServerResponse response;
    private final EventLoop loop;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long writtenAtNanos = System.nanoTime();
    private volatile @Nullable IllegalStateException failure;

    /// @param feed of the source
    LoopWriter(EventSource source, LoopFeed feed, HttpServerResponse response, EventLoop loop) {
        this.source = source;
        this.feed = feed;
        this.response = response;
        this.loop = loop;
    }

    void begin() {
        feed.tell(new LoopFeed.Ear(loop, this::write));
        loop.execute(this::write);
    }

    /// @return false when it has not ended in that time
    /// @throws IllegalStateException when an output was taken and not written: the stream has a gap
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        boolean over = ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (failure != null) {
            throw failure;
        }
        return over;
    }

    /// Any thread.
    void end() {
        feed.tell(null);
        ended.countDown();
    }

    /// Writes the block unless something was written within that time.
    void keepAlive(byte[] block, Duration silence) {
        loop.execute(() -> {
            if (ended.getCount() > 0 && System.nanoTime() - writtenAtNanos >= silence.toNanos()) {
                write(Buffer.buffer(block));
            }
        });
    }

    private void write() {
        if (ended.getCount() == 0) {
            return;
        }
        try {
            var together = Buffer.buffer();
            boolean goesOn = true;
            while (goesOn && feed.hasMore() && !response.writeQueueFull()) {
                goesOn = take(together);
            }
            if (together.length() > 0 && !response.closed()) {
                write(together);
            }
            boolean stuck = !feed.isEmpty() && (response.writeQueueFull() || !feed.hasMore());
            if (!goesOn || stuck || response.closed()) {
                end();
            }
        } catch (InterruptedException | RuntimeException e) {
            failure = new IllegalStateException("an event loop could not write", e);
            end();
        }
    }

    private boolean take(Buffer into) throws InterruptedException {
        return switch (source.next(0)) {
            case EventSource.Step.Blocks(var blocks) -> {
                blocks.forEach(into::appendBytes);
                yield true;
            }
            case EventSource.Step.Pause _ -> true;
            case EventSource.Step.End _ -> false;
            case EventSource.Step.Lost _ -> throw new IllegalStateException("the client fell behind");
        };
    }

    private void write(Buffer bytes) {
        response.write(bytes);
        writtenAtNanos = System.nanoTime();
    }
}
