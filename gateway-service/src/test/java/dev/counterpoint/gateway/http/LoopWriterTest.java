package dev.counterpoint.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.DefaultEventLoop;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
    private final LoopWriter writer = new LoopWriter(feed, feed, response(), loop);

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
        writer.keepAlive(bytes("quiet for hours"), Duration.ofHours(1));
        writer.keepAlive(bytes("quiet"), Duration.ZERO);
        // Then
        assertThat(written.take()).isEqualTo("quiet");
    }

    private HttpServerResponse response() {
        return (HttpServerResponse) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServerResponse.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "writeQueueFull" -> full;
                    case "closed" -> closed;
                    case "write" -> {
                        written.add(((Buffer) arguments[0]).toString());
                        yield Future.succeededFuture();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
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
