package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads this replica's share of `frames` with one consumer and one thread, which alone touches the responses' state,
/// and appends what their summaries say. It never waits for an append; one response that cannot be summed up disturbs
/// no other.
///
/// What a partition's committed offset says: every summary whose frame 0 lies before it is done. So a successor reads
/// from there, makes the same summaries again, and says nothing before it has seen all that was there when it came.
final class FollowLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowLoop.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /// While a request is being read, whose frames may wait.
    private static final Duration SHORT_POLL = Duration.ofMillis(2);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final long UNKNOWN = -1;
    private static final long NOTHING = Long.MAX_VALUE;

    private final Setup setup;
    private final Consumer<String, byte[]> consumer;
    private final SummaryOutbox outbox;
    private final Map<ResponseId, Followed> followed = new HashMap<>();
    private final Map<ResponseId, Followed> preparing = new HashMap<>();
    /// Partitions that are not yet caught up, and up to which offset they must be read.
    private final Map<TopicPartition, Long> behind = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private volatile int following;
    private volatile long oldestUnreadMillis = NOTHING;
    private volatile long turnedAtNanos = System.nanoTime();
    private volatile boolean joined;
    private volatile boolean ended;
    private volatile boolean closed;

    /// @param preparers read requests
    /// @param tidyInterval how often to look after what does not move
    /// @param followedMax responses followed at once
    record Setup(
            KeyRing keys,
            SummaryText.Factory texts,
            SummarizerMetrics metrics,
            Executor preparers,
            Duration tidyInterval,
            int followedMax) {}

    /// @param consumer of a group; closed by [#run]
    FollowLoop(Setup setup, Consumer<String, byte[]> consumer, SummaryOutbox outbox) {
        this.setup = setup;
        this.consumer = consumer;
        this.outbox = outbox;
    }

    @Override
    public void run() {
        try {
            join();
            long tidiedAt = System.nanoTime();
            while (!closed) {
                follow();
                if (System.nanoTime() - tidiedAt >= setup.tidyInterval.toNanos()) {
                    tidy();
                    tidiedAt = System.nanoTime();
                }
                turnedAtNanos = System.nanoTime();
            }
        } finally {
            ended = true;
            consumer.close(CloseOptions.timeout(ANSWER_MAX));
        }
    }

    void join() {
        consumer.subscribe(List.of(Topic.FRAMES), new Assignment());
    }

    /// Takes what the log has next.
    void follow() {
        try {
            consumer.poll(preparing.isEmpty() ? POLL : SHORT_POLL).forEach(this::take);
            takeUp();
            catchUp();
            if (!unreadRemain()) {
                oldestUnreadMillis = NOTHING;
            }
        } catch (KafkaException e) {
            LOG.warn("following is retried cause={}", e.getClass().getSimpleName());
            // A broker that refuses at once must not make this spin.
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private boolean unreadRemain() {
        return consumer.assignment().stream()
                .anyMatch(at -> consumer.currentLag(at).orElse(0) > 0);
    }

    /// Nothing thrown here may reach [#follow]: the rest of what was polled would be lost.
    private void take(ConsumerRecord<String, byte[]> record) {
        oldestUnreadMillis = record.timestamp();
        try {
            var frame = Frame.decode(Clients.body(record));
            var id = frame.response();
            if (id.partition() != record.partition()) {
                throw new MalformedMessageException("a frame on a partition that is not its response's");
            }
            if (frame.kind() == FrameKind.ACCEPTED && !followed.containsKey(id)) {
                begin(frame, record.offset());
            }
            var response = followed.get(id);
            if (response != null) {
                response.offer(frame);
                deliver(id, response);
            }
        } catch (MalformedMessageException e) {
            LOG.warn("frame passed over partition={} offset={}", record.partition(), record.offset());
        } catch (RuntimeException e) {
            LOG.error(
                    "frame failed partition={} offset={} cause={}",
                    record.partition(),
                    record.offset(),
                    e.getClass().getSimpleName());
        }
        following = followed.size();
    }

    private void begin(Frame frame, long offset) {
        var accepted = Accepted.decode(frame.body());
        if (!accepted.summaryDue() || System.currentTimeMillis() > accepted.deadlineMillis()) {
            return;
        }
        if (followed.size() >= setup.followedMax) {
            setup.metrics.refused();
            LOG.warn("too many responses, no summary responseId={}", frame.response());
            return;
        }
        var run = new SummaryRun(frame.response(), accepted, setup.keys, setup.texts);
        var response = new Followed(run, offset, accepted.deadlineMillis(), setup.preparers);
        followed.put(frame.response(), response);
        preparing.put(frame.response(), response);
    }

    /// Goes on with responses whose request has been read meanwhile.
    private void takeUp() {
        for (var entry : List.copyOf(preparing.entrySet())) {
            if (entry.getValue().prepared()) {
                preparing.remove(entry.getKey());
                deliver(entry.getKey(), entry.getValue());
            }
        }
    }

    private void deliver(ResponseId id, Followed response) {
        for (var frame = response.next(); frame != null; frame = response.next()) {
            var failure = response.run.accept(frame);
            if (failure != null) {
                setup.metrics.failed();
                LOG.warn("summary withheld responseId={} at={} cause={}", id, failure.at(), failure.cause());
            }
        }
        append(id, response);
        if (response.prepared() && response.run.done()) {
            followed.remove(id);
        }
    }

    private void append(ResponseId id, Followed response) {
        if (!response.prepared() || behind.containsKey(partition(id))) {
            return;
        }
        try {
            var due = response.run.due();
            outbox.append(due);
            setup.metrics.appended(due);
        } catch (RuntimeException e) {
            LOG.error(
                    "summary cannot be appended responseId={} cause={}",
                    id,
                    e.getClass().getSimpleName());
        }
    }

    private static TopicPartition partition(ResponseId id) {
        return new TopicPartition(Topic.FRAMES, id.partition());
    }

    /// Lets the summaries of a partition out once it is read up to where it ended when it came to this replica. Before,
    /// what the log holds of them is not known.
    private void catchUp() {
        if (behind.isEmpty()) {
            return;
        }
        var unknown = behind.keySet().stream()
                .filter(at -> Objects.requireNonNull(behind.get(at)) == UNKNOWN)
                .toList();
        if (!unknown.isEmpty()) {
            behind.putAll(consumer.endOffsets(unknown, ANSWER_MAX));
        }
        for (var at : List.copyOf(behind.keySet())) {
            if (consumer.position(at, ANSWER_MAX) >= Objects.requireNonNull(behind.get(at))) {
                behind.remove(at);
                followed.forEach((id, response) -> {
                    if (id.partition() == at.partition()) {
                        append(id, response);
                    }
                });
            }
        }
    }

    /// Looks after what does not move.
    void tidy() {
        for (var id : outbox.lost()) {
            var response = followed.get(id);
            if (response != null) {
                setup.metrics.lost();
                response.run.again();
                append(id, response);
            }
        }
        long now = System.currentTimeMillis();
        followed.values().removeIf(response -> response.expired(now));
        preparing.keySet().retainAll(followed.keySet());
        following = followed.size();
        commit();
    }

    private void commit() {
        try {
            var offsets = finished(consumer.assignment());
            offsets.entrySet().removeIf(entry -> entry.getValue().equals(committed.get(entry.getKey())));
            if (!offsets.isEmpty()) {
                committed.putAll(offsets);
                consumer.commitAsync(offsets, (tried, failure) -> {
                    if (failure != null) {
                        committed.keySet().removeAll(tried.keySet());
                    }
                });
            }
        } catch (KafkaException e) {
            LOG.warn("commit is retried cause={}", e.getClass().getSimpleName());
        }
    }

    /// Up to where every summary is done.
    private Map<TopicPartition, OffsetAndMetadata> finished(Collection<TopicPartition> partitions) {
        var oldest = new HashMap<TopicPartition, Long>();
        for (var at : partitions) {
            if (behind.getOrDefault(at, 0L) != UNKNOWN) {
                oldest.put(at, consumer.position(at, ANSWER_MAX));
            }
        }
        followed.forEach((id, response) ->
                oldest.computeIfPresent(partition(id), (_, offset) -> Math.min(offset, response.offset)));
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        oldest.forEach((at, offset) -> offsets.put(at, new OffsetAndMetadata(offset)));
        return offsets;
    }

    /// Called by the consumer, within `poll` and `close`.
    private final class Assignment implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            partitions.forEach(at -> behind.put(at, UNKNOWN));
            joined = true;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            try {
                consumer.commitSync(finished(partitions), ANSWER_MAX);
            } catch (KafkaException e) {
                // The successor reads a little more.
                LOG.warn("last commit failed cause={}", e.getClass().getSimpleName());
            }
            onPartitionsLost(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            partitions.forEach(behind::remove);
            partitions.forEach(committed::remove);
            followed.keySet().removeIf(id -> partitions.contains(partition(id)));
            preparing.keySet().retainAll(followed.keySet());
            following = followed.size();
        }
    }

    /// Whether this replica is a member of the group, with or without partitions.
    boolean joined() {
        return joined && !ended;
    }

    /// Whether [#run] came to its end.
    boolean ended() {
        return ended;
    }

    /// Responses followed now.
    int following() {
        return following;
    }

    /// Age of the oldest record not yet taken, or how long this loop has stood still; 0 when all is taken.
    long lagMillis() {
        long oldest = oldestUnreadMillis;
        long age = oldest == NOTHING ? 0 : Math.max(0, System.currentTimeMillis() - oldest);
        long still = (System.nanoTime() - turnedAtNanos) / 1_000_000;
        return still > 2 * ANSWER_MAX.toMillis() ? Math.max(age, still) : age;
    }

    void close() {
        closed = true;
    }
}
