package dev.counterpoint.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Consumers over one log, which break when they are told to.
@Timeout(60)
class PollLoopTest {
    private static final TopicPartition CONTROL = new TopicPartition("control", 0);

    private final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    private final ArrayDeque<MockConsumer<String, byte[]>> consumers = new ArrayDeque<>();
    private @Nullable PollLoop loop;

    @AfterEach
    void close() {
        if (loop != null) {
            loop.close();
        }
    }

    @Test
    void hearsWhatIsSaidAfterItWasMadeAndNothingEarlier() throws Exception {
        // Given
        consumer(7);
        var second = consumer(9, 6, 7, 8);
        // When
        startAtEnd();
        // Then
        assertThat(heard(2)).containsExactly(7L, 8L);
        assertThat(second.position(CONTROL)).isEqualTo(9);
    }

    @Test
    void hearsEverythingThereIsFromTheBeginningOn() throws Exception {
        // Given
        consumer(9, 6, 7, 8);
        // When
        start(record -> heard.add(record.offset()));
        // Then
        assertThat(heard(3)).containsExactly(6L, 7L, 8L);
    }

    @Test
    void missesNothingWhenItsConnectionBreaks() throws Exception {
        // Given
        consumer(7);
        var breaks = consumer(9, 7, 8);
        breaks.schedulePollTask(() -> {});
        breaks.schedulePollTask(() -> breaks.setPollException(new KafkaException("broken")));
        consumer(11, 7, 8, 9, 10);
        // When
        startAtEnd();
        // Then
        assertThat(heard(4)).containsExactly(7L, 8L, 9L, 10L);
    }

    @Test
    void hearsEverythingThereIsWhenItsPlaceIsGone() throws Exception {
        // Given
        consumer(7);
        var lost = consumer(7);
        lost.schedulePollTask(() -> lost.setPollException(new OffsetOutOfRangeException(Map.of(CONTROL, 7L))));
        consumer(22, 20, 21);
        // When
        startAtEnd();
        // Then
        assertThat(heard(2)).containsExactly(20L, 21L);
    }

    @Test
    void passesOverWhatCannotBeTaken() throws Exception {
        // Given
        consumer(4, 1, 2, 3);
        // When
        start(record -> {
            if (record.offset() == 1) {
                throw new MalformedMessageException("not a message");
            }
            if (record.offset() == 2) {
                throw new IllegalStateException("a mistake of the taker");
            }
            heard.add(record.offset());
        });
        // Then
        assertThat(heard(1)).containsExactly(3L);
    }

    @Test
    void goesOnAfterAMistakeOfTheConsumer() throws Exception {
        // Given
        var fails = consumer(2, 1);
        fails.schedulePollTask(() -> {});
        fails.schedulePollTask(() -> {
            throw new IllegalStateException("a mistake of the client");
        });
        consumer(3, 1, 2);
        // When
        start(record -> heard.add(record.offset()));
        // Then
        assertThat(heard(2)).containsExactly(1L, 2L);
    }

    @Test
    void doesNotWaitForTheEndOfAPollToStop() throws Exception {
        // Given
        var polling = new CountDownLatch(1);
        var closed = new CountDownLatch(1);
        consumers.add(new MockConsumer<>("none") {
            private final CountDownLatch awake = new CountDownLatch(1);

            @Override
            public org.apache.kafka.clients.consumer.ConsumerRecords<String, byte[]> poll(Duration atMost) {
                polling.countDown();
                try {
                    awake.await(); // a poll that never comes back by itself
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new org.apache.kafka.common.errors.WakeupException();
            }

            @Override
            public void wakeup() {
                awake.countDown();
            }

            @Override
            public void close() {
                closed.countDown();
            }
        });
        start(record -> heard.add(record.offset()));
        polling.await();
        // When
        close();
        // Then
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private void start(java.util.function.Consumer<ConsumerRecord<String, byte[]>> taker) {
        var started = PollLoop.fromBeginning(consumers::remove, CONTROL.topic(), taker);
        loop = started;
        started.start();
    }

    private void startAtEnd() {
        var started = PollLoop.fromEnd(consumers::remove, CONTROL.topic(), record -> heard.add(record.offset()));
        loop = started;
        started.start();
    }

    /// A consumer of a log that ends at `end` and has a record at each of these.
    private MockConsumer<String, byte[]> consumer(long end, long... offsets) {
        var consumer = new MockConsumer<String, byte[]>("none");
        consumer.updateBeginningOffsets(Map.of(CONTROL, offsets.length == 0 ? 0 : offsets[0]));
        consumer.updateEndOffsets(Map.of(CONTROL, end));
        consumer.schedulePollTask(() -> {
            for (long offset : offsets) {
                consumer.addRecord(new ConsumerRecord<>(CONTROL.topic(), 0, offset, "any", new byte[0]));
            }
        });
        consumers.add(consumer);
        return consumer;
    }

    private List<Long> heard(int count) throws InterruptedException {
        var offsets = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            var offset = heard.poll(30, TimeUnit.SECONDS);
            offsets.add(offset == null ? -1L : offset);
        }
        return offsets;
    }
}
