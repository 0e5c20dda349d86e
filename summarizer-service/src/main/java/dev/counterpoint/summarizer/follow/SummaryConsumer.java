package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.bus.wire.MalformedMessageException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/// Reads this replica's share of `frames` with one consumer and appends the summaries. Only its one thread accesses
/// the responses' state. It never waits for an append, and a response without a possible summary does not affect
/// others.
///
/// The committed offset of a partition means: every summary whose frame 0 lies before the offset is done. So a
/// successor reads from there, makes the same summaries again, and appends only after it has read all records from
/// before the assignment of the partition.
final class SummaryConsumer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(SummaryConsumer.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /// Replaces [#POLL] while a draft is waited for.
    private static final Duration DRAFT_POLL = Duration.ofMillis(10);
    /// Replaces [#POLL] while the frames of a response wait for its request to be read.
    private static final Duration SHORT_POLL = Duration.ofMillis(2);
    /// Between two polls while no response here has a summary: the broker then answers once for many frames.
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final long NOTHING = Long.MAX_VALUE;

    private final SummaryStarter starter;
    private final Limits limits;
    private final SummarizerMetrics metrics;
    private final Consumer<String, byte[]> consumer;
    private final SummaryPublisher publisher;
    private final DraftRound drafts;
    private final Map<Integer, AssignedPartition> partitions = new HashMap<>();
    private final Map<ResponseId, SummarizedResponse> preparing = new HashMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private volatile int following;
    private volatile long oldestUnreadMillis = NOTHING;
    private volatile long turnedAtNanos = System.nanoTime();
    private volatile Phase phase = Phase.JOINING;
    private volatile boolean closed;

    private enum Phase {
        JOINING,
        /// A member of the group, with or without partitions.
        JOINED,
        ENDED
    }

    /// @param tidyInterval pause between two looks at responses that do not move
    /// @param followedMax responses followed at once
    record Limits(Duration tidyInterval, int followedMax) {}

    /// What this replica writes.
    record Writes(SummaryPublisher summaries, DraftRound drafts) {}

    /// @param consumer of a group; closed by [#run]
    SummaryConsumer(
            SummaryStarter starter,
            Limits limits,
            SummarizerMetrics metrics,
            Consumer<String, byte[]> consumer,
            Writes writes) {
        this.starter = starter;
        this.limits = limits;
        this.metrics = metrics;
        this.consumer = consumer;
        publisher = writes.summaries;
        drafts = writes.drafts;
    }

    @Override
    public void run() {
        try {
            join();
            long tidiedAt = System.nanoTime();
            while (!closed) {
                follow();
                if (System.nanoTime() - tidiedAt >= limits.tidyInterval.toNanos()) {
                    tidy();
                    tidiedAt = System.nanoTime();
                }
                turnedAtNanos = System.nanoTime();
            }
        } finally {
            phase = Phase.ENDED;
            consumer.close(CloseOptions.timeout(ANSWER_MAX));
        }
    }

    void join() {
        consumer.subscribe(List.of(Topic.FRAMES), new Assignment());
    }

    /// Takes the next frames of the log.
    void follow() {
        try {
            var records = consumer.poll(patience());
            records.forEach(this::take);
            if (following == 0 && !records.isEmpty()) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            takeUp();
            catchUp();
            takeDrafts();
            if (!unreadRemain()) {
                oldestUnreadMillis = NOTHING;
            }
        } catch (KafkaException e) {
            LOG.warn("following is retried cause={}", e.getClass().getSimpleName());
            // Avoids a busy loop when a broker refuses immediately.
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private Duration patience() {
        return !preparing.isEmpty() ? SHORT_POLL : drafts.idle() ? POLL : DRAFT_POLL;
    }

    /// Continues responses whose draft arrived or timed out.
    private void takeDrafts() {
        for (var id : drafts.take()) {
            var partition = partitions.get(id.partition());
            var response = partition == null ? null : partition.responses.get(id);
            if (partition != null && response != null) {
                append(id, response, partition);
            }
        }
    }

    private boolean unreadRemain() {
        return consumer.assignment().stream()
                .anyMatch(at -> consumer.currentLag(at).orElse(0) > 0);
    }

    /// No exception may reach [#follow], or the rest of the polled records would be lost.
    private void take(ConsumerRecord<String, byte[]> record) {
        oldestUnreadMillis = record.timestamp();
        try {
            var frame = Frame.decode(record);
            var partition = partitions.get(record.partition());
            if (partition != null) {
                take(new LoggedFrame(frame, record.timestamp()), record, partition);
            }
        } catch (MalformedMessageException e) {
            starter.keys().signatures().refused(Topic.FRAMES, Reason.CONTENT);
        } catch (RuntimeException e) {
            LOG.error(
                    "frame failed partition={} offset={} cause={}",
                    record.partition(),
                    record.offset(),
                    e.getClass().getSimpleName());
        }
        countFollowed();
    }

    private void countFollowed() {
        following = partitions.values().stream()
                .mapToInt(partition -> partition.responses.size())
                .sum();
    }

    private void take(LoggedFrame logged, ConsumerRecord<String, byte[]> record, AssignedPartition partition) {
        var frame = logged.frame();
        var id = frame.response();
        if (frame.kind() == FrameKind.ACCEPTED && !partition.responses.containsKey(id)) {
            begin(frame, record, partition);
        }
        var response = partition.responses.get(id);
        if (response != null) {
            response.offer(logged);
            deliver(id, response, partition);
        }
    }

    private void begin(Frame frame, ConsumerRecord<String, byte[]> record, AssignedPartition partition) {
        var accepted = Accepted.decode(frame.body());
        if (!accepted.summaryDue() || System.currentTimeMillis() > accepted.deadlineMillis()) {
            return;
        }
        if (following >= limits.followedMax) {
            metrics.refused();
            LOG.warn("too many responses, no summary responseId={}", frame.response());
            return;
        }
        var trust = LogTrust.of(frame, starter.keys());
        if (trust == null) {
            return;
        }
        var response = starter.begin(trust, accepted, record);
        partition.responses.put(frame.response(), response);
        preparing.put(frame.response(), response);
    }

    /// Continues responses whose request has been read meanwhile.
    private void takeUp() {
        for (var entry : List.copyOf(preparing.entrySet())) {
            var id = entry.getKey();
            var partition = partitions.get(id.partition());
            if (entry.getValue().prepared() && partition != null) {
                preparing.remove(id);
                deliver(id, entry.getValue(), partition);
            }
        }
    }

    private void deliver(ResponseId id, SummarizedResponse response, AssignedPartition partition) {
        for (var frame = response.next(); frame != null; frame = response.next()) {
            var failure = response.run.accept(frame);
            if (failure != null) {
                metrics.failed();
                LOG.warn("summary withheld responseId={} at={} cause={}", id, failure.at(), failure.cause());
            }
        }
        append(id, response, partition);
        if (response.prepared() && response.run.done()) {
            response.span.end();
            partition.responses.remove(id);
        }
    }

    private void append(ResponseId id, SummarizedResponse response, AssignedPartition partition) {
        if (!response.prepared() || !partition.caughtUp()) {
            return;
        }
        try {
            drafts.ask(id, response.run);
            var due = response.run.due();
            publisher.append(due);
            metrics.appended(due, response.run.language());
            metrics.written(response.run.outcomes(), response.run.language());
        } catch (RuntimeException e) {
            LOG.error(
                    "summary cannot be appended responseId={} cause={}",
                    id,
                    e.getClass().getSimpleName());
        }
    }

    /// Lets the summaries of a partition out once it is read up to where it ended when it came to this replica.
    private void catchUp() {
        var unmeasured = partitions.values().stream()
                .filter(AssignedPartition::unmeasured)
                .map(partition -> partition.at)
                .toList();
        if (!unmeasured.isEmpty()) {
            consumer.endOffsets(unmeasured, ANSWER_MAX)
                    .forEach((at, end) -> partition(at).measured(end));
        }
        for (var partition : List.copyOf(partitions.values())) {
            if (partition.behind() && partition.readUpTo(consumer.position(partition.at, ANSWER_MAX))) {
                partition.responses.forEach((id, response) -> append(id, response, partition));
            }
        }
    }

    private AssignedPartition partition(TopicPartition at) {
        return Objects.requireNonNull(partitions.get(at.partition()));
    }

    /// Looks after responses that do not move.
    void tidy() {
        for (var id : publisher.lost()) {
            appendAgain(id);
        }
        long now = System.currentTimeMillis();
        partitions.values().forEach(partition -> partition.forgetExpired(now));
        forgetPreparations();
        commit();
    }

    private void appendAgain(ResponseId id) {
        var partition = partitions.get(id.partition());
        var response = partition == null ? null : partition.responses.get(id);
        if (partition != null && response != null) {
            metrics.lost();
            response.run.again();
            append(id, response, partition);
        }
    }

    /// Drops the preparations of responses that are followed no longer.
    private void forgetPreparations() {
        preparing.keySet().removeIf(id -> {
            var partition = partitions.get(id.partition());
            return partition == null || !partition.responses.containsKey(id);
        });
        countFollowed();
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

    /// The offsets up to which every summary is done.
    private Map<TopicPartition, OffsetAndMetadata> finished(Collection<TopicPartition> assigned) {
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        for (var at : assigned) {
            var partition = partitions.get(at.partition());
            if (partition != null && !partition.unmeasured()) {
                long position = consumer.position(at, ANSWER_MAX);
                offsets.put(at, new OffsetAndMetadata(partition.finished(position)));
            }
        }
        return offsets;
    }

    /// Called by the consumer, within `poll` and `close`.
    private final class Assignment implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            assigned.forEach(at -> partitions.put(at.partition(), new AssignedPartition(at)));
            phase = Phase.JOINED;
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            try {
                consumer.commitSync(finished(revoked), ANSWER_MAX);
            } catch (KafkaException e) {
                // The successor reads a little more.
                LOG.warn("last commit failed cause={}", e.getClass().getSimpleName());
            }
            onPartitionsLost(revoked);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            for (var at : lost) {
                var partition = partitions.remove(at.partition());
                if (partition != null) {
                    partition.handedOver();
                }
            }
            lost.forEach(committed::remove);
            forgetPreparations();
        }
    }

    /// True if this replica is a member of the group, with or without partitions.
    boolean joined() {
        return phase == Phase.JOINED;
    }

    boolean ended() {
        return phase == Phase.ENDED;
    }

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
