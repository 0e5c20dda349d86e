package dev.counterpoint.gateway.log.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the logs of all responses on this gateway's partitions with one consumer and one thread, which alone
/// touches their state. It hands outputs to mailboxes and never waits for a reader. One response that cannot be
/// followed disturbs no other.
///
/// Partitions come and go while it runs. One that went to another gateway is read on while it has readers here, and
/// nothing is decided there any more.
public final class LogConsumer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(LogConsumer.class);
    private static final Duration POLL = Duration.ofMillis(50);
    /// The pace of looking at responses; looking at all of them for each batch of frames would cost more than the
    /// frames.
    private static final Duration OVERSEE = Duration.ofMillis(20);
    /// A partition that is another's now is read on for so long without a reader: a response may have been named on
    /// it a moment ago, and is about to be accepted.
    private static final Duration LINGER = Duration.ofSeconds(15);
    /// Responses of one partition, as far as others have room.
    private static final long OPEN_MAX = 128;

    private final FollowedResponses responses;
    private final EndOffsets ends;
    private final LongSupplier beats;
    private final Map<Integer, FollowedPartition> partitions = new HashMap<>();
    private final Consumer<String, byte[]> consumer;
    /// Work for the loop between two polls.
    private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();
    /// Partitions that are read, or will be in a moment.
    private final Set<Integer> reads = ConcurrentHashMap.newKeySet();
    /// Partitions that this gateway owns, with the offset from where a successor would have to read.
    private final Map<Integer, Long> owned = new ConcurrentHashMap<>();
    private volatile List<Integer> ready = List.of();
    private volatile Map<Integer, Long> open = Map.of();
    private volatile boolean closed;

    /// @param ends where partitions end
    /// @param beats how many of this gateway's beats came back
    /// @param consumer closed by [#run]
    public LogConsumer(
            FollowedResponses responses, EndOffsets ends, LongSupplier beats, Consumer<String, byte[]> consumer) {
        this.responses = responses;
        this.ends = ends;
        this.beats = beats;
        this.consumer = consumer;
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(Topic.FRAMES, number);
    }

    /// Partitions are this gateway's from now on, and are read on once somebody says from where: [#follow]. Any
    /// thread.
    public void claim(Map<Integer, FollowedPartition.Stretch> stretches) {
        stretches.forEach((number, stretch) -> owned.put(number, stretch.from()));
    }

    /// A claimed partition is read on from the beginning of what is left of its stretch, unless it is another's
    /// again. One that was read here all the time is read from the beginning of the whole, because readers here may
    /// wait for what a new owner passes over; a frame that comes twice is taken once. Any thread.
    public void follow(int number, FollowedPartition.Stretch whole, FollowedPartition.Stretch left) {
        changes.add(() -> {
            if (owned.containsKey(number)) {
                begin(number, partitions.containsKey(number) ? whole : left);
            }
        });
    }

    private void begin(int number, FollowedPartition.Stretch stretch) {
        reads.add(number);
        partitions.computeIfAbsent(number, FollowedPartition::new).takeUp(stretch);
        assign();
        consumer.seek(partition(number), stretch.from());
    }

    /// Partitions are another gateway's from now on. Any thread.
    public void letGo(Set<Integer> gone) {
        owned.keySet().removeAll(gone);
        long now = System.nanoTime();
        changes.add(() -> gone.stream().map(partitions::get).forEach(at -> {
            if (at != null) {
                at.letGo(now);
            }
        }));
    }

    private void assign() {
        consumer.assign(partitions.keySet().stream().map(LogConsumer::partition).toList());
    }

    /// The logs of all responses are lost; their readers hear of it. Any thread.
    public void lose() {
        changes.add(responses::lose);
    }

    /// Announces a response whose frame 0 is about to be appended.
    ///
    /// @throws BackendUnavailableException when its partition is not read here any more
    public ReaderHandle expect(ResponseId id) {
        var announced = responses.expect(id);
        if (!reads.contains(id.partition())) {
            responses.unexpect(id);
            throw new BackendUnavailableException("another gateway looks after this response's partition now");
        }
        return announced;
    }

    /// The announced response was not appended after all.
    public void unexpect(ResponseId id) {
        responses.unexpect(id);
    }

    /// Announced responses whose frame 0 was not read yet.
    public int awaited() {
        return responses.awaited();
    }

    /// The partitions of this gateway, and from where a successor would have to read each.
    public Map<Integer, Long> resumeOffsets() {
        return Map.copyOf(owned);
    }

    /// The partitions of this gateway whose logs it has read to where they ended when it took them up.
    public List<Integer> ready() {
        return ready.stream().filter(owned::containsKey).toList();
    }

    /// Partitions with responses that are not done.
    public Set<Integer> busy() {
        return open.keySet();
    }

    /// Where a new response goes. Empty while no partition is ready. Any thread.
    public Optional<Integer> place() {
        var following = open;
        var expected = responses.expected();
        return place(ready().stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        number -> following.getOrDefault(number, 0L) + expected.getOrDefault(number, 0L))));
    }

    /// The fullest partition that has room, since frames that are written and read together cost less; where none has
    /// room, the emptiest.
    static Optional<Integer> place(Map<Integer, Long> open) {
        return open.entrySet().stream()
                .filter(at -> at.getValue() < OPEN_MAX)
                .max(Map.Entry.comparingByValue())
                .or(() -> open.entrySet().stream().min(Map.Entry.comparingByValue()))
                .map(Map.Entry::getKey);
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
    public void follow() {
        for (var change = changes.poll(); change != null; change = changes.poll()) {
            change.run();
        }
        if (partitions.isEmpty()) {
            LockSupport.parkNanos(POLL.toNanos());
            return;
        }
        try {
            consumer.poll(POLL).forEach(this::take);
            responses.tellLoops();
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
        try {
            at.takes(record.timestamp());
            responses.take(Frame.decode(record), record.offset(), at);
        } catch (MalformedMessageException e) {
            responses.refuse();
        } catch (RuntimeException e) {
            LOG.error("frame failed partition={} offset={}", record.partition(), record.offset(), e);
        }
        // Last, because whoever sends a job meanwhile says that nothing before this offset is news.
        at.read(record.offset());
    }

    /// Acts where nothing moves, and forgets what is done.
    public void oversee() {
        partitions.values().forEach(FollowedPartition::tick);
        EndOffsetRequests.ask(ends, partitions.values(), beats.getAsLong());
        responses.oversee(partitions);
        ready = partitions.values().stream()
                .filter(FollowedPartition::caughtUp)
                .map(FollowedPartition::number)
                .toList();
        open = responses.open();
        noteResumeOffsets();
        dropIdle(System.nanoTime());
    }

    private void noteResumeOffsets() {
        var oldest = new HashMap<Integer, Long>();
        partitions.values().stream()
                .filter(FollowedPartition::owned)
                .forEach(at -> oldest.put(at.number(), at.position()));
        responses.hold(oldest);
        oldest.forEach((number, offset) -> owned.computeIfPresent(number, (_, _) -> offset));
    }

    /// Stops reading what is another's and has no reader here.
    public void dropIdle(long now) {
        var idle = new HashSet<Integer>();
        for (var at : partitions.values()) {
            if (at.goneFor(LINGER.toNanos(), now)
                    && !open.containsKey(at.number())
                    && !owned.containsKey(at.number())) {
                reads.remove(at.number());
                // Looked at after the removal, so that whoever is announced meanwhile either is seen here or refused.
                if (responses.expected().containsKey(at.number())) {
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

    public void close() {
        closed = true;
    }
}
