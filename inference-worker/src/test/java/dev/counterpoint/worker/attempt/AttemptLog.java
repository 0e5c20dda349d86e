package dev.counterpoint.worker.attempt;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.testkit.TestKeys;
import dev.counterpoint.bus.wire.UnknownFields;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/// The log of one response, written by workers' own outboxes over a bus that keeps everything.
class AttemptLog {
    static final ResponseId RESPONSE = new ResponseId(1_000, 3, 0xCAFE, 0xBABE);
    static final String TENANT = "tenant-1";

    final MockProducer<String, byte[]> producer;
    final FrameSender sender;
    private final ScheduledExecutorService sending = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private final KeyRing keys;

    /// @param acknowledges whether appends are acknowledged at once
    AttemptLog(KeyRing keys, boolean acknowledges) {
        this.keys = keys;
        producer = new MockProducer<>(acknowledges, null, new StringSerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
                sendException = failure(record);
                return super.send(record, callback);
            }
        };
        sender = new FrameSender(producer, sending, () -> Duration.ZERO);
    }

    /// Waits until the bus has, or was asked to take, all that was appended.
    void settle() {
        try {
            sending.submit(() -> {}).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What an append throws, or null to take it.
    @Nullable
    RuntimeException failure(ProducerRecord<String, byte[]> record) {
        return producer.sendException;
    }

    static JobTicket ticket(int attempt) {
        return new JobTicket(
                RESPONSE, 0, attempt, TENANT, Set.of(), Long.MAX_VALUE, 0, 1, null, false, UnknownFields.NONE);
    }

    static Frame accepted() {
        return accepted(1);
    }

    static Frame accepted(int format) {
        var nothing = new byte[0];
        var accepted = new Accepted(
                TENANT,
                "key",
                "model",
                1_000,
                Long.MAX_VALUE,
                Set.of(),
                false,
                false,
                Topic.Band.NORMAL,
                new Accepted.SealedParts(nothing, nothing, nothing, nothing),
                "",
                format);
        return TestKeys.signed(Frame.decision(RESPONSE, 1, FrameKind.ACCEPTED, accepted.encode()));
    }

    static Frame reissue(int attempt) {
        return TestKeys.signed(Frame.decision(RESPONSE, attempt, FrameKind.REISSUE, new byte[0]));
    }

    /// The fence of a worker that takes an attempt with these keys.
    Frame fence(int attempt, long nonce, AttemptKeys attemptKeys) {
        var place = new AttemptKeys.Place(TENANT, RESPONSE, attempt, nonce);
        var fence = attemptKeys.fence("worker-" + nonce, place, Set.of(), keys);
        var frame = Frame.sign(RESPONSE, attempt, nonce, FrameKind.FENCE).withBody(fence.encode());
        return keys.signatures().sign(frame);
    }

    /// What that worker writes with.
    FramePublisher publisher(int attempt, long nonce, AttemptKeys attemptKeys) {
        var publisher = new FramePublisher(ticket(attempt), nonce, attemptKeys, sender);
        publisher.fenced(true);
        return publisher;
    }

    /// All that outboxes appended, in order.
    List<Frame> frames() {
        settle();
        return producer.history().stream()
                .filter(record -> record.topic().equals(Topic.FRAMES))
                .map(record -> Frame.decode(record.value()))
                .toList();
    }
}
