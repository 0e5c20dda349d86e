package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.admission.Admission;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the logs of all responses on this gateway's partitions with one consumer and one thread, which alone touches
/// their state. It hands outputs to mailboxes and never waits for a reader. One response that cannot be followed
/// disturbs no other.
final class FollowLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofMillis(50);
    /// How often responses are looked at; looking at all of them for each batch of frames would cost more than the
    /// frames.
    private static final Duration OVERSEE = Duration.ofMillis(20);
    /// A recovered response is read from the log faster than its reader may take it, and must not lose its place. The
    /// longest has a frame for each token of a full context.
    private static final int RECOVERED_CAPACITY = 1 << 18;

    private final KeyRing keys;
    private final LongSupplier beats;
    private final int mailboxCapacity;
    private final OwnerRules rules;
    private final Admission admission;
    private final java.util.function.Consumer<Followed> recovered;
    private final Map<ResponseId, Expected> expected = new ConcurrentHashMap<>();
    private final Map<ResponseId, Followed> followed = new HashMap<>();
    private final Map<Integer, Long> positions = new HashMap<>();
    private final Map<Integer, Long> caughtUpAt = new HashMap<>();
    private final Consumer<String, byte[]> consumer;
    private volatile Map<Integer, Long> resumeOffsets;
    private volatile boolean closed;

    /// @param consumer closed by [#run]; still the caller's when this constructor fails
    /// @param from the owned partitions and where to read each from
    FollowLoop(Setup setup, Consumer<String, byte[]> consumer, Map<Integer, Long> from) {
        keys = setup.keys;
        beats = setup.beats;
        mailboxCapacity = setup.mailboxCapacity;
        rules = setup.rules;
        admission = setup.admission;
        recovered = setup.recovered;
        this.consumer = consumer;
        resumeOffsets = Map.copyOf(from);
        var partitions = from.keySet().stream().map(FollowLoop::partition).toList();
        consumer.assign(partitions);
        var beginnings = consumer.beginningOffsets(partitions);
        var ends = consumer.endOffsets(partitions);
        for (var at : partitions) {
            long start = Math.clamp(
                    from.getOrDefault(at.partition(), 0L), beginnings.getOrDefault(at, 0L), ends.getOrDefault(at, 0L));
            consumer.seek(at, start);
            positions.put(at.partition(), start);
            caughtUpAt.put(at.partition(), ends.getOrDefault(at, 0L));
        }
    }

    /// @param beats this gateway's clock
    /// @param admission told what becomes of the jobs
    /// @param recovered told of each response that nobody here expected
    record Setup(
            KeyRing keys,
            LongSupplier beats,
            int mailboxCapacity,
            OwnerRules rules,
            Admission admission,
            java.util.function.Consumer<Followed> recovered) {}

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    /// Announces a response whose frame 0 is about to be appended.
    Expected expect(ResponseId id) {
        var announced = new Expected(new Mailbox(mailboxCapacity));
        expected.put(id, announced);
        return announced;
    }

    /// The announced response was not appended after all.
    void unexpect(ResponseId id) {
        expected.remove(id);
    }

    /// Announced responses whose frame 0 was not read yet.
    int awaited() {
        return expected.size();
    }

    /// From where a successor would have to read each partition.
    Map<Integer, Long> resumeOffsets() {
        return resumeOffsets;
    }

    @Override
    public void run() {
        try (consumer) {
            long overseenAt = System.nanoTime() - OVERSEE.toNanos();
            while (!closed) {
                follow();
                if (System.nanoTime() - overseenAt >= OVERSEE.toNanos()) {
                    oversee();
                    overseenAt = System.nanoTime();
                }
            }
        }
    }

    /// Takes what the log has next.
    void follow() {
        try {
            consumer.poll(POLL).forEach(this::take);
        } catch (OffsetOutOfRangeException e) {
            LOG.error("frames were deleted before they were read partitions={}", e.partitions());
            consumer.seekToBeginning(e.partitions());
        } catch (KafkaException e) {
            LOG.warn("following is retried cause={}", e.getClass().getSimpleName());
            // A broker that refuses at once must not make this spin.
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    /// Nothing thrown here may reach [#follow]: the rest of what was polled would be lost.
    private void take(ConsumerRecord<String, byte[]> record) {
        positions.put(record.partition(), record.offset() + 1);
        try {
            var frame = Frame.decode(record.value() == null ? new byte[0] : record.value());
            if (frame.kind() == FrameKind.ACCEPTED && !followed.containsKey(frame.response())) {
                open(frame, record.offset());
            }
            var response = followed.get(frame.response());
            if (response != null) {
                deliver(response, frame);
            }
        } catch (MalformedMessageException e) {
            LOG.warn("frame passed over partition={} offset={}", record.partition(), record.offset());
        } catch (RuntimeException e) {
            LOG.error("frame failed partition={} offset={}", record.partition(), record.offset(), e);
        }
    }

    private void open(Frame frame, long offset) {
        var accepted = Accepted.decode(frame.body()).withoutJob();
        var announced = expected.remove(frame.response());
        var reading = announced == null ? new Expected(recoveredMailbox(accepted)) : announced;
        var response = new Followed(frame.response(), offset, accepted, reading, new ResponseReader(accepted, keys));
        followed.put(frame.response(), response);
        if (announced == null) {
            recover(response);
        }
    }

    private Mailbox recoveredMailbox(Accepted accepted) {
        return new Mailbox(accepted.stored() ? RECOVERED_CAPACITY : mailboxCapacity);
    }

    private void recover(Followed response) {
        try {
            recovered.accept(response);
        } catch (RuntimeException e) {
            LOG.error("response is not taken up responseId={}", response.id, e);
            response.expected.abandon();
            response.expected.settle();
        }
    }

    private void deliver(Followed response, Frame frame) {
        var outputs = read(response, frame);
        // Before anybody hears of an end, so that who asks again right after it finds room.
        tellAdmission(response, frame.kind());
        outputs.forEach(response.expected.mailbox()::offer);
    }

    private void tellAdmission(Followed response, FrameKind kind) {
        switch (kind) {
            case FENCE, END, OWNER_END -> {
                var worker = response.reader.worker();
                if (response.reader.ended()) {
                    admission.ended(response.id);
                } else if (response.reader.fenced() && worker != null) {
                    admission.fenced(response.id, response.accepted.tenant(), worker);
                }
            }
            case ACCEPTED,
                    REISSUE,
                    DELTA,
                    SEALED_REASONING,
                    PROGRESS,
                    HANDOVER,
                    SUMMARY,
                    SUMMARY_END,
                    SUMMARY_ABANDONED,
                    UNKNOWN -> {}
        }
    }

    /// What a frame says. One that cannot be read ends its response: here where it was the end itself, else by the
    /// owner's rules.
    private List<ModelOutput> read(Followed response, Frame frame) {
        try {
            return response.accept(frame, beats.getAsLong());
        } catch (RuntimeException e) {
            LOG.error(
                    "frame cannot be read responseId={} kind={} cause={}",
                    frame.response(),
                    frame.kind(),
                    e.getClass().getSimpleName());
            return response.reader.ended() ? response.fail() : List.of();
        }
    }

    /// Acts where nothing moves, and forgets what is done.
    void oversee() {
        long beat = beats.getAsLong();
        followed.values().removeIf(this::forgetDone);
        for (var response : List.copyOf(followed.values())) {
            if (caughtUp(response.id.partition())) {
                apply(response, beat);
            }
        }
        var oldest = new HashMap<>(positions);
        for (var response : followed.values()) {
            oldest.merge(response.id.partition(), response.offset, Math::min);
        }
        resumeOffsets = Map.copyOf(oldest);
    }

    private boolean forgetDone(Followed response) {
        boolean done = response.done();
        if (done) {
            admission.forget(response.id);
        }
        return done;
    }

    private void apply(Followed response, long beat) {
        try {
            rules.apply(response, beat);
        } catch (RuntimeException e) {
            // Taken again later, as every decision that gets lost.
            LOG.warn(
                    "decision failed responseId={} cause={}",
                    response.id,
                    e.getClass().getSimpleName());
        }
    }

    private boolean caughtUp(int partition) {
        return positions.getOrDefault(partition, 0L) >= caughtUpAt.getOrDefault(partition, 0L);
    }

    void close() {
        closed = true;
    }
}
