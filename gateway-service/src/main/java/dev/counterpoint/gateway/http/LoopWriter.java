package dev.counterpoint.gateway.http;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes the middle of one stream on its connection's event loop: what came together goes out together. It ends when
/// something else than more of the output waits, when the client is slow, and when the client has left.
final class LoopWriter {
    private final EventSource source;
    private final LoopFeed feed;
    private final StreamWriter.Transport transport;
    private final EventLoop loop;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long writtenAtNanos = System.nanoTime();
    private volatile @Nullable IllegalStateException failure;

    /// @param feed of the source
    LoopWriter(EventSource source, LoopFeed feed, StreamWriter.Transport transport, EventLoop loop) {
        this.source = source;
        this.feed = feed;
        this.transport = transport;
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

    /// Writes the transport's keep-alive unless something was written within that time.
    void keepAlive(Duration silence) {
        loop.execute(() -> {
            var block = transport.keepAlive();
            boolean silent = System.nanoTime() - writtenAtNanos >= silence.toNanos();
            if (block != null && silent && ended.getCount() > 0) {
                write(List.of(block));
            }
        });
    }

    private void write() {
        if (ended.getCount() == 0) {
            return;
        }
        try {
            var together = new ArrayList<byte[]>();
            boolean goesOn = true;
            while (goesOn && feed.hasMore() && !transport.isFull()) {
                goesOn = take(together);
            }
            if (!together.isEmpty() && !transport.isClosed()) {
                write(together);
            }
            boolean stuck = !feed.isEmpty() && (transport.isFull() || !feed.hasMore());
            if (!goesOn || stuck || transport.isClosed()) {
                end();
            }
        } catch (InterruptedException | RuntimeException e) {
            failure = new IllegalStateException("an event loop could not write", e);
            end();
        }
    }

    private boolean take(List<byte[]> into) throws InterruptedException {
        return switch (source.next(0)) {
            case EventSource.Step.Blocks(var blocks) -> {
                blocks.forEach(into::add);
                yield true;
            }
            case EventSource.Step.Pause _ -> true;
            case EventSource.Step.End _ -> false;
            case EventSource.Step.Lost _ -> throw new IllegalStateException("the client fell behind");
        };
    }

    private void write(List<byte[]> blocks) {
        transport.writeOnLoop(blocks);
        writtenAtNanos = System.nanoTime();
    }
}
