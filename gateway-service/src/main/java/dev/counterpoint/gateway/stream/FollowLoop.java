package dev.counterpoint.gateway.stream;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.admission.Admission;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
///
/// Partitions come and go while it runs. One that went to another gateway is read on while it has readers here,
/// and nothing is decided there any more.
final class FollowLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofMillis(50);
    /// How often responses are looked at; looking at all of them for each batch of frames would cost more than the
    /// frames.
    private static final Duration OVERSEE = Duration.ofMillis(20);
    /// How long a partition that is another's now is read on without a reader: a response may have been named on it a
    /// moment ago, and is about to be accepted.
    private static final Duration LINGER = Duration.ofSeconds(15);
    /// A recovered response is read from the log faster than its reader may take it, and must not lose its place. The
    /// longest has a frame for each token of a full context.
    private static final int RECOVERED_CAPACITY = 1 << 18;

    private final Setup setup;
    private final OwnerRules rules;
    private final Map<ResponseId, Expected> expected = new ConcurrentHashMap<>();
    private final Map<ResponseId, Followed> followed = new HashMap<>();
    private final Map<Integer, FollowedPartition> partitions = new HashMap<>();
    private final Consumer<String, byte[]> consumer;
    /// What the loop is to do between two polls.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();
    /// Partitions that are read, or will be in a moment.
    private final Set<Integer> reads = ConcurrentHashMap.newKeySet();
    /// Partitions that this gateway owns, with the offset from where a successor would have to read.
    private final Map<Integer, Long> owned = new ConcurrentHashMap<>();
    private volatile List<Integer> ready = List.of();
    private volatile Set<Integer> busy = Set.of();
    private volatile boolean closed;

    /// @param consumer closed by [#run]
    FollowLoop(Setup setup, Consumer<String, byte[]> consumer) {
        this.setup = setup;
        this.consumer = consumer;
        rules = setup.rules;
    }

    /// @param beats how many of this gateway's beats came back
    /// @param ends where partitions end
    /// @param admission told what becomes of the jobs
    /// @param recovered told of each response that nobody here expected
    record Setup(
            KeyRing keys,
            LongSupplier beats,
            LogEnds ends,
            int mailboxCapacity,
            OwnerRules rules,
            Admission admission,
            java.util.function.Consumer<Followed> recovered) {}

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    /// Partitions are this gateway's from now on. Any thread.
    void takeUp(Map<Integer, FollowedPartition.Stretch> stretches) {
        reads.addAll(stretches.keySet());
        stretches.forEach((number, stretch) -> owned.put(number, stretch.from()));
        changes.add(() -> begin(stretches));
    }

    /// What stands in the stretch and was followed here all the time is read twice and taken once.
    private void begin(Map<Integer, FollowedPartition.Stretch> stretches) {
        reads.addAll(stretches.keySet());
        stretches.forEach((number, stretch) ->
                partitions.computeIfAbsent(number, FollowedPartition::new).takeUp(stretch));
        assign();
        stretches.forEach((number, stretch) -> consumer.seek(partition(number), stretch.from()));
    }

    /// Partitions are another gateway's from now on. Any thread.
    void letGo(Set<Integer> gone) {
        owned.keySet().removeAll(gone);
        long now = System.nanoTime();
        changes.add(() -> gone.stream().map(partitions::get).forEach(at -> {
            if (at != null) {
                at.letGo(now);
            }
        }));
    }

    private void assign() {
        consumer.assign(partitions.keySet().stream().map(FollowLoop::partition).toList());
    }

    /// Announces a response whose frame 0 is about to be appended.
    ///
    /// @throws Generations.UnavailableException when its partition is not read here any more
    Expected expect(ResponseId id) {
        var announced = new Expected(new Mailbox(setup.mailboxCapacity));
        expected.put(id, announced);
        if (!reads.contains(id.partition())) {
            expected.remove(id);
            throw new Generations.UnavailableException("another gateway looks after this response's partition now");
        }
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

    /// The partitions of this gateway, and from where a successor would have to read each.
    Map<Integer, Long> resumeOffsets() {
        return Map.copyOf(owned);
    }

    /// The partitions of this gateway whose logs it has read to where they ended when it took them up.
    List<Integer> ready() {
        return ready.stream().filter(owned::containsKey).toList();
    }

    /// Partitions with responses that are not done.
    Set<Integer> busy() {
        return busy;
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
        for (var change = changes.poll(); change != null; change = changes.poll()) {
            change.run();
        }
        if (partitions.isEmpty()) {
            LockSupport.parkNanos(POLL.toNanos());
            return;
        }
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
        var at = partitions.get(record.partition());
        if (at == null) {
            return;
        }
        at.read(record.offset());
        try {
            var frame = Frame.decode(Clients.body(record));
            if (frame.kind() == FrameKind.ACCEPTED && !followed.containsKey(frame.response())) {
                open(frame, record.offset(), at);
            }
            var response = followed.get(frame.response());
            if (response != null && response.isNews(record.offset())) {
                deliver(response, frame, at);
            }
        } catch (MalformedMessageException e) {
            LOG.warn("frame passed over partition={} offset={}", record.partition(), record.offset());
        } catch (RuntimeException e) {
            LOG.error("frame failed partition={} offset={}", record.partition(), record.offset(), e);
        }
    }

    /// What nobody here expected is looked after by its partition's owner.
    private void open(Frame frame, long offset, FollowedPartition at) {
        var accepted = Accepted.decode(frame.body()).withoutJob();
        var announced = expected.remove(frame.response());
        if (announced == null && !at.owned()) {
            return;
        }
        var reading = announced == null ? new Expected(recoveredMailbox(accepted)) : announced;
        var reader = new ResponseReader(accepted, setup.keys);
        var response = new Followed(frame.response(), offset, accepted, reading, reader);
        followed.put(frame.response(), response);
        if (announced == null) {
            recover(response);
        }
    }

    private Mailbox recoveredMailbox(Accepted accepted) {
        return new Mailbox(accepted.stored() ? RECOVERED_CAPACITY : setup.mailboxCapacity);
    }

    private void recover(Followed response) {
        try {
            setup.recovered.accept(response);
        } catch (RuntimeException e) {
            LOG.error("response is not taken up responseId={}", response.id, e);
            response.expected.abandon();
            response.expected.settle();
        }
    }

    private void deliver(Followed response, Frame frame, FollowedPartition at) {
        var outputs = read(response, frame, at);
        // Before anybody hears of an end, so that who asks again right after it finds room.
        tellAdmission(response, frame.kind());
        outputs.forEach(response.expected.mailbox()::offer);
    }

    private void tellAdmission(Followed response, FrameKind kind) {
        switch (kind) {
            case FENCE, END, OWNER_END -> {
                var worker = response.reader.worker();
                if (response.reader.ended()) {
                    setup.admission.ended(response.id);
                } else if (response.reader.fenced() && worker != null) {
                    setup.admission.fenced(response.id, response.accepted.tenant(), worker);
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
    private static List<ModelOutput> read(Followed response, Frame frame, FollowedPartition at) {
        try {
            return response.accept(frame, at.beats());
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
        partitions.values().forEach(FollowedPartition::tick);
        AskedPartitions.ask(setup.ends, partitions.values(), setup.beats.getAsLong());
        followed.values().removeIf(this::forgetDone);
        for (var response : List.copyOf(followed.values())) {
            apply(response, at(response));
        }
        ready = partitions.values().stream()
                .filter(FollowedPartition::caughtUp)
                .map(FollowedPartition::number)
                .toList();
        busy = followed.keySet().stream().map(ResponseId::partition).collect(Collectors.toUnmodifiableSet());
        noteResumeOffsets();
        dropIdle(System.nanoTime());
    }

    private FollowedPartition at(Followed response) {
        return Objects.requireNonNull(partitions.get(response.id.partition()));
    }

    private boolean forgetDone(Followed response) {
        boolean done = at(response).owned() ? response.done() : response.doneForReader();
        if (done) {
            setup.admission.forget(response.id);
        }
        return done;
    }

    private void noteResumeOffsets() {
        var oldest = new HashMap<Integer, Long>();
        partitions.values().stream()
                .filter(FollowedPartition::owned)
                .forEach(at -> oldest.put(at.number(), at.position()));
        for (var response : followed.values()) {
            oldest.computeIfPresent(response.id.partition(), (_, offset) -> Math.min(offset, response.offset));
        }
        oldest.forEach((number, offset) -> owned.computeIfPresent(number, (_, _) -> offset));
    }

    /// Stops reading what is another's and has no reader here.
    void dropIdle(long now) {
        var idle = new HashSet<Integer>();
        for (var at : partitions.values()) {
            if (at.goneFor(LINGER.toNanos(), now) && !busy.contains(at.number()) && !owned.containsKey(at.number())) {
                reads.remove(at.number());
                // Looked at after the removal, so that whoever is announced meanwhile either is seen here or refused.
                if (expected.keySet().stream().anyMatch(id -> id.partition() == at.number())) {
                    reads.add(at.number());
                } else {
                    idle.add(at.number());
                }
            }
        }
        if (!idle.isEmpty()) {
            partitions.keySet().removeAll(idle);
            assign();
        }
    }

    private void apply(Followed response, FollowedPartition at) {
        try {
            if (!at.owned()) {
                rules.applyForReader(response, at.beats());
            } else if (at.caughtUp()) {
                rules.apply(response, at.beats());
            }
        } catch (RuntimeException e) {
            // Taken again later, as every decision that gets lost.
            LOG.warn(
                    "decision failed responseId={} cause={}",
                    response.id,
                    e.getClass().getSimpleName());
        }
    }

    void close() {
        closed = true;
    }
}
