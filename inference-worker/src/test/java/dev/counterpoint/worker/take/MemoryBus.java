package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/// A bus in memory: what its producer appends, its readers read. Its clock counts records.
final class MemoryBus extends MockProducer<String, byte[]> {
    /// Whether readers read; taken for each poll.
    final Semaphore reads = new Semaphore(0);
    /// Told of each frame after it was appended.
    volatile Consumer<Frame> appended = _ -> {};
    /// The number of fences that are lost on their way.
    volatile int lostFences;
    /// Records that readers were given.
    volatile int handedOut;
    /// The first record of every partition that is still there.
    volatile long begins;

    private final Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> log = new HashMap<>();
    private final List<ProducerRecord<String, byte[]>> sent = new ArrayList<>();

    MemoryBus() {
        super(true, null, new StringSerializer(), new ByteArraySerializer());
    }

    void readable() {
        reads.release(1_000_000);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
        var frame = record.topic().equals(Topic.FRAMES) ? Frame.decode(record.value()) : null;
        if (frame != null && frame.kind() == FrameKind.FENCE && lostFences > 0) {
            lostFences--;
            callback.onCompletion(null, new KafkaException("lost"));
            return CompletableFuture.failedFuture(new KafkaException("lost"));
        }
        var at = new TopicPartition(record.topic(), Objects.requireNonNullElse(record.partition(), 0));
        long offset = append(at, record);
        var metadata = new RecordMetadata(at, offset, 0, offset, 0, 0);
        callback.onCompletion(metadata, null);
        if (frame != null) {
            appended.accept(frame);
        }
        return CompletableFuture.completedFuture(metadata);
    }

    private synchronized long append(TopicPartition at, ProducerRecord<String, byte[]> record) {
        var records = log.computeIfAbsent(at, _ -> new ArrayList<>());
        sent.add(record);
        records.add(new ConsumerRecord<>(at.topic(), at.partition(), records.size(), record.key(), record.value()));
        return records.size() - 1L;
    }

    long append(Frame frame) {
        var id = frame.response();
        var record = new ProducerRecord<>(Topic.FRAMES, id.partition(), id.toString(), frame.encode());
        return append(new TopicPartition(Topic.FRAMES, id.partition()), record);
    }

    synchronized List<Frame> frames() {
        return sent.stream()
                .filter(record -> record.topic().equals(Topic.FRAMES))
                .map(record -> Frame.decode(record.value()))
                .toList();
    }

    synchronized boolean holdsTrace() {
        return sent.stream().anyMatch(record -> record.topic().equals(Topic.AUDIT));
    }

    private synchronized List<ConsumerRecord<String, byte[]>> from(TopicPartition at, long first, int most) {
        var records = log.getOrDefault(at, List.of());
        if (first < begins) {
            throw new OffsetOutOfRangeException(Map.of(at, first));
        }
        int from = Math.toIntExact(Math.min(first, records.size()));
        return List.copyOf(records.subList(from, Math.min(records.size(), from + most)));
    }

    /// A reader that gets a few records at a time.
    MockConsumer<String, byte[]> reader() {
        return new Reader();
    }

    private final class Reader extends MockConsumer<String, byte[]> {
        private static final int AT_ONCE = 7;
        private final Map<TopicPartition, Long> positions = new HashMap<>();

        private Reader() {
            super("none");
        }

        @Override
        public synchronized void seek(TopicPartition partition, long offset) {
            positions.put(partition, offset);
        }

        @Override
        public synchronized ConsumerRecords<String, byte[]> poll(Duration atMost) {
            try {
                reads.acquire();
                TimeUnit.MICROSECONDS.sleep(100);
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            }
            var found = new HashMap<TopicPartition, List<ConsumerRecord<String, byte[]>>>();
            for (var partition : assignment()) {
                found.put(partition, from(partition, Objects.requireNonNull(positions.get(partition)), AT_ONCE));
            }
            found.values().removeIf(List::isEmpty);
            found.forEach((partition, records) -> {
                positions.put(partition, records.getLast().offset() + 1);
                handedOut += records.size();
            });
            return new ConsumerRecords<>(found, Map.of());
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(
                Collection<TopicPartition> partitions, Duration atMost) {
            var ends = new HashMap<TopicPartition, Long>();
            partitions.forEach(at ->
                    ends.put(at, (long) from(at, begins, Integer.MAX_VALUE).size() + begins));
            return ends;
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
                Map<TopicPartition, Long> times, Duration atMost) {
            var found = new HashMap<TopicPartition, OffsetAndTimestamp>();
            times.forEach((at, _) -> found.put(at, new OffsetAndTimestamp(begins, 0)));
            return found;
        }
    }
}
