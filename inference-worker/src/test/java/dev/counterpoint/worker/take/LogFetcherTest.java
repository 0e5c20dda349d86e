package dev.counterpoint.worker.take;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.UnknownFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFetcherTest {
    private static final int PARTITION = 3;
    private static final ResponseId ANNA = new ResponseId(1, PARTITION, 0, 1);
    private static final ResponseId BERT = new ResponseId(1, PARTITION, 0, 2);

    private final List<ConsumerRecord<String, byte[]>> log = new ArrayList<>();
    private final Broker broker = new Broker(log);

    @Test
    void oneResponseIsReadOutOfTheLogOfMany() {
        // Given
        write(ANNA, BERT, ANNA, BERT, ANNA);

        // Then
        assertThat(nonces(fetcher(1_000), ANNA, 0, 3)).containsExactly(0L, 2L);
        assertThat(nonces(fetcher(1_000), ANNA, 1, 4)).containsExactly(2L, 4L);
    }

    @Test
    void whatCannotBeReadIsLeftOut() {
        // Given
        write(ANNA);
        log.add(new ConsumerRecord<>(Topic.FRAMES, PARTITION, 1, ANNA.toString(), new byte[] {1}));
        log.add(new ConsumerRecord<>(Topic.FRAMES, PARTITION, 2, ANNA.toString(), null));
        log.add(new ConsumerRecord<>(Topic.FRAMES, PARTITION, 3, null, new byte[] {1}));
        write(ANNA);

        // Then
        assertThat(nonces(fetcher(1_000), ANNA, 0, 4)).containsExactly(0L, 4L);
    }

    @Test
    void aStretchIsReadOnceForAllItsResponses() {
        // Given
        write(ANNA, BERT, ANNA, BERT);
        var fetcher = fetcher(10_000);

        // When
        var annas = nonces(fetcher, ANNA, 0, 2);
        int read = broker.handedOut;
        var berts = nonces(fetcher, BERT, 1, 3);

        // Then
        assertThat(annas).containsExactly(0L, 2L);
        assertThat(berts).containsExactly(1L, 3L);
        assertThat(broker.handedOut).isEqualTo(read);
        write(BERT);
        assertThat(nonces(fetcher, BERT, 1, 4)).containsExactly(1L, 3L, 4L);
        assertThat(broker.handedOut).as("only what is new").isEqualTo(read + 1);
        fetcher.forget();
        assertThat(nonces(fetcher, BERT, 1, 4)).containsExactly(1L, 3L, 4L);
        assertThat(broker.handedOut).isEqualTo(read + 1 + 4);
    }

    @Test
    void whatOthersSaidWhileAJobWaitedIsNotRead() throws Exception {
        // Given a response that waits while others say 4,000 frames, then one more, and the fence
        write(ANNA);
        for (int i = 0; i < 4_000; i++) {
            write(BERT);
        }
        long dispatched = log.size();
        write(BERT, ANNA);
        var ticket = ticket(ANNA, 0).readFrom(dispatched);
        // When
        var frames = fetcher(1_000_000).fetch(ticket, dispatched + 1);
        // Then
        assertThat(frames).extracting(Frame::nonce).containsExactly(0L, dispatched + 1);
        assertThat(broker.handedOut).isLessThanOrEqualTo(2 * Broker.AT_ONCE);
    }

    @Test
    void oneWhoWaitsForAPartitionKeepsNobodyFromAnother() throws Exception {
        // Given a partition whose reader hangs
        write(ANNA);
        var hangs = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var other = new ResponseId(1, PARTITION + 1, 0, 1);
        var stuck = new Broker(log) {
            @Override
            public synchronized ConsumerRecords<String, byte[]> poll(Duration atMost) {
                hangs.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.poll(atMost);
            }
        };
        var fetcher = new LogFetcher(new LogReader.Sources(() -> stuck, () -> broker), 1_000);
        var slow = Thread.ofVirtual().start(() -> nonces(fetcher, ANNA, 0, 0));
        hangs.await();
        // When
        var frames = CompletableFuture.supplyAsync(() -> nonces(fetcher, other, 0, -1));
        // Then
        assertThat(frames).succeedsWithin(Duration.ofSeconds(10));
        goOn.countDown();
        slow.join();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100, 1_000, 10_000, 1_000_000})
    void howeverMuchIsKeptEachStretchIsWhole(long keptBytesMax) {
        // Given
        var random = new Random(keptBytesMax);
        var responses = List.of(ANNA, BERT, new ResponseId(1, PARTITION, 0, 3), new ResponseId(1, PARTITION, 0, 4));
        var fetcher = fetcher(keptBytesMax);
        for (int round = 0; round < 200; round++) {
            // When
            for (int i = random.nextInt(20); i >= 0; i--) {
                write(responses.get(random.nextInt(4)));
            }
            int last = random.nextInt(log.size());
            int first = random.nextInt(last + 1);
            var asked = responses.get(random.nextInt(4));
            if (random.nextInt(10) == 0) {
                fetcher.forget();
            }

            // Then
            var expected = log.subList(first, last + 1).stream()
                    .filter(entry -> entry.key().equals(asked.toString()))
                    .map(ConsumerRecord::offset)
                    .toList();
            assertThat(nonces(fetcher, asked, first, last)).isEqualTo(expected);
        }
    }

    private LogFetcher fetcher(long keptBytesMax) {
        return new LogFetcher(new LogReader.Sources(() -> broker, () -> broker), keptBytesMax);
    }

    /// Each frame's nonce is its offset.
    private void write(ResponseId... responses) {
        for (var response : responses) {
            long offset = log.size();
            var frame = Frame.sign(response, 1, offset, FrameKind.PROGRESS);
            log.add(new ConsumerRecord<>(Topic.FRAMES, PARTITION, offset, response.toString(), frame.encode()));
        }
    }

    private static List<Long> nonces(LogFetcher fetcher, ResponseId response, long first, long last) {
        try {
            return fetcher.fetch(ticket(response, first), last).stream()
                    .map(Frame::nonce)
                    .toList();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JobTicket ticket(ResponseId response, long accepted) {
        return new JobTicket(response, accepted, 1, "tenant", Set.of(), 0, UnknownFields.NONE);
    }

    /// Hands out a log, a few records at a time.
    private static class Broker extends MockConsumer<String, byte[]> {
        private static final int AT_ONCE = 7;

        private final List<ConsumerRecord<String, byte[]>> log;
        private final Map<TopicPartition, Long> positions = new HashMap<>();
        private int handedOut;

        private Broker(List<ConsumerRecord<String, byte[]>> log) {
            super("none");
            this.log = log;
        }

        @Override
        public synchronized void seek(TopicPartition partition, long offset) {
            positions.put(partition, offset);
        }

        @Override
        public synchronized long position(TopicPartition partition) {
            return positions.getOrDefault(partition, 0L);
        }

        @Override
        public synchronized ConsumerRecords<String, byte[]> poll(Duration atMost) {
            var partition = assignment().iterator().next();
            int from = Math.toIntExact(position(partition));
            int to = Math.min(log.size(), from + AT_ONCE);
            positions.put(partition, (long) to);
            handedOut += to - from;
            return new ConsumerRecords<>(Map.of(partition, List.copyOf(log.subList(from, to))), Map.of());
        }
    }
}
