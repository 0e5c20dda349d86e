package dev.counterpoint.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.DefaultEventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopWriterTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final EventSource.Step LAST = EventSource.Step.of(bytes("last"));

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final Feed feed = new Feed();
    private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
    private volatile boolean full;
    private volatile boolean closed;
    private final LoopWriter writer = new LoopWriter(feed, feed, new Client(), loop);

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void whatCameTogetherGoesOutTogether() throws InterruptedException {
        // Given
        feed.put("a", "b", "c");
        // When
        writer.begin();
        // Then
        assertThat(written.take()).isEqualTo("abc");
        // When
        feed.put("d");
        feed.hear();
        // Then
        assertThat(written.take()).isEqualTo("d");
    }

    @Test
    void theLastOutputIsLeftToTheThreadThatAsked() throws InterruptedException {
        // Given
        feed.put("a");
        feed.steps.add(LAST);
        // When
        writer.begin();
        // Then
        assertThat(writer.awaitEnd(LONG)).isTrue();
        assertThat(written).containsExactly("a");
        assertThat(feed.steps).containsExactly(LAST);
        assertThat(feed.ear).isNull();
    }

    @Test
    void aSlowClientIsLeftToTheThreadThatAsked() throws InterruptedException {
        // Given
        full = true;
        feed.put("a");
        // When
        writer.begin();
        // Then
        assertThat(writer.awaitEnd(LONG)).isTrue();
        assertThat(written).isEmpty();
        assertThat(feed.steps).hasSize(1);
    }

    @Test
    void aClientThatLeftEndsIt() throws InterruptedException {
        // Given
        closed = true;
        feed.put("a");
        // When
        writer.begin();
        // Then
        assertThat(writer.awaitEnd(LONG)).isTrue();
        assertThat(written).isEmpty();
    }

    @Test
    void aStreamWithAGapIsNoStream() {
        // Given
        feed.steps.add(EventSource.Step.LOST);
        // When
        writer.begin();
        // Then
        assertThatThrownBy(() -> writer.awaitEnd(LONG)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCommentIsWrittenOnlyIntoSilence() throws InterruptedException {
        // Given
        feed.put("a");
        writer.begin();
        assertThat(written.take()).isEqualTo("a");
        // When
        writer.keepAlive(Duration.ofHours(1));
        writer.keepAlive(Duration.ZERO);
        // Then
        assertThat(written.take()).isEqualTo("quiet");
        assertThat(written).isEmpty();
    }

    private final class Client implements StreamWriter.Transport {
        @Override
        public void write(List<byte[]> blocks) {
            throw new UnsupportedOperationException("no thread writes here");
        }

        @Override
        public byte[] keepAlive() {
            return bytes("quiet");
        }

        @Override
        public DefaultEventLoop loop() {
            return loop;
        }

        @Override
        public void writeOnLoop(List<byte[]> blocks) {
            written.add(blocks.stream().map(String::new).collect(Collectors.joining()));
        }

        @Override
        public boolean isFull() {
            return full;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void sever() {
            closed = true;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Steps in a row, of which [#LAST] is not more of the output.
    private static final class Feed implements EventSource, LoopFeed {
        private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
        private volatile @Nullable Ear ear;

        void put(String... blocks) {
            List.of(blocks).forEach(block -> steps.add(Step.of(bytes(block))));
        }

        void hear() {
            var listening = ear;
            assertThat(listening).isNotNull();
            listening.loop().execute(listening.heard());
        }

        @Override
        public Step next(long atMostMillis) {
            var next = steps.poll();
            return next == null ? Step.PAUSE : next;
        }

        @Override
        public void abandon() {
            steps.clear();
        }

        @Override
        public void tell(@Nullable Ear listening) {
            ear = listening;
        }

        @Override
        public boolean hasMore() {
            var next = steps.peek();
            return next != null && next != LAST;
        }

        @Override
        public boolean isEmpty() {
            return steps.isEmpty();
        }
    }
}
