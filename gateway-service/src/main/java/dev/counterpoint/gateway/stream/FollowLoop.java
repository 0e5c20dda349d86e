package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the logs of all responses on this gateway's partitions with one consumer and one thread, which alone touches
/// their state. It hands outputs to mailboxes and never waits for a reader.
final class FollowLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final KeyRing keys;
    private final LongSupplier beats;
    private final int mailboxCapacity;
    private final OwnerRules rules;
    private final Consumer<Followed> recovered;
    private final Map<ResponseId, Expected> expected = new ConcurrentHashMap<>();
    private final Map<ResponseId, Followed> followed = new HashMap<>();
    private final Map<Integer, Long> positions = new ConcurrentHashMap<>();
    private final Map<Integer, Long> caughtUpAt;
    private final KafkaConsumer<String, byte[]> consumer;
    private volatile Map<Integer, Long> resumeOffsets;
    private volatile boolean closed;

    /// @param from the owned partitions and where to read each from
    FollowLoop(Setup setup, KafkaConsumer<String, byte[]> consumer, Map<Integer, Long> from) {
        keys = setup.keys;
        beats = setup.beats;
        mailboxCapacity = setup.mailboxCapacity;
        rules = setup.rules;
        recovered = setup.recovered;
        this.consumer = consumer;
        resumeOffsets = Map.copyOf(from);
        var partitions = from.keySet().stream().map(FollowLoop::partition).toList();
        consumer.assign(partitions);
        var beginnings = consumer.beginningOffsets(partitions);
        var ends = consumer.endOffsets(partitions);
        caughtUpAt = new HashMap<>();
        for (var at : partitions) {
            long start = Math.clamp(
                    from.getOrDefault(at.partition(), 0L), beginnings.getOrDefault(at, 0L), ends.getOrDefault(at, 0L));
            consumer.seek(at, start);
            positions.put(at.partition(), start);
            caughtUpAt.put(at.partition(), ends.getOrDefault(at, 0L));
        }
    }

    /// @param beats this gateway's clock
    /// @param recovered told of each response that nobody here expected
    record Setup(
            KeyRing keys, LongSupplier beats, int mailboxCapacity, OwnerRules rules, Consumer<Followed> recovered) {}

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    /// Announces a response whose frame 0 is about to be appended.
    Expected expect(ResponseId id) {
        var announced = new Expected(new Mailbox(mailboxCapacity), new AtomicBoolean());
        expected.put(id, announced);
        return announced;
    }

    /// A response whose reader waits already.
    ///
    /// @param settled set by the reader when it is done
    record Expected(Mailbox mailbox, AtomicBoolean settled) {
        void settle() {
            settled.set(true);
        }
    }

    /// The announced response was not appended after all.
    void unexpect(ResponseId id) {
        expected.remove(id);
    }

    /// From where a successor would have to read each partition.
    Map<Integer, Long> resumeOffsets() {
        return resumeOffsets;
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                for (var record : consumer.poll(POLL)) {
                    take(record);
                }
                oversee();
            } catch (OffsetOutOfRangeException e) {
                LOG.error("frames were deleted before they were read partitions={}", e.partitions());
                consumer.seekToBeginning(e.partitions());
            } catch (KafkaException e) {
                LOG.warn("following is retried cause={}", e.getClass().getSimpleName());
            }
        }
        consumer.close();
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        positions.put(record.partition(), record.offset() + 1);
        try {
            var frame = Frame.decode(record.value());
            if (frame.kind() == FrameKind.ACCEPTED) {
                open(frame, record.offset());
            }
            var response = followed.get(frame.response());
            if (response != null) {
                response.movedAt(beats.getAsLong());
                deliver(response, frame);
            }
        } catch (MalformedMessageException e) {
            LOG.warn("frame passed over partition={} offset={}", record.partition(), record.offset());
        }
    }

    private void open(Frame frame, long offset) {
        var announced = expected.remove(frame.response());
        var accepted = Accepted.decode(frame.body());
        var reader = new ResponseReader(accepted, keys);
        var response = new Followed(
                frame,
                offset,
                accepted,
                announced == null ? new Expected(new Mailbox(mailboxCapacity), new AtomicBoolean()) : announced,
                reader);
        followed.put(frame.response(), response);
        if (announced == null) {
            recovered.accept(response);
        }
    }

    private void deliver(Followed response, Frame frame) {
        try {
            var output = response.reader.accept(frame);
            if (output != null) {
                response.mailbox.offer(output);
            }
        } catch (SealException e) {
            LOG.error("frame does not open responseId={} kind={}", frame.response(), frame.kind());
            rules.unreadable(response);
        }
    }

    /// Acts where nothing moves, and forgets what is done.
    private void oversee() {
        long beat = beats.getAsLong();
        followed.values().removeIf(Followed::done);
        for (var response : List.copyOf(followed.values())) {
            if (caughtUp(response.id.partition())) {
                rules.apply(response, beat);
            }
        }
        var oldest = new HashMap<>(positions);
        for (var response : followed.values()) {
            oldest.merge(response.id.partition(), response.offset, Math::min);
        }
        resumeOffsets = oldest;
    }

    private boolean caughtUp(int partition) {
        return positions.getOrDefault(partition, 0L) >= caughtUpAt.getOrDefault(partition, 0L);
    }

    void close() {
        closed = true;
    }
}
