package dev.counterpoint.worker.take;

import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat.InboxPartition;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.CapacityGate.Permit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the tickets of this worker's inbox: the partitions of its model's topic that its group gives it. A ticket
/// is taken when there is a permit for it; its offset is committed before the worker opens it, so that no other
/// worker reads it afterwards. Waiting tickets stay on their partition, and its next reader gets them. A request
/// for a draft waits for no permit and delays no ticket. One thread.
final class InboxConsumer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(InboxConsumer.class);
    private static final Duration POLL = Duration.ofMillis(250);
    /// The wait for a permit between two polls, which keep this worker in its group.
    private static final Duration WAIT = Duration.ofMillis(50);
    private static final Duration ASK = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long UNKNOWN = -1;

    private final String topic;
    private final Supplier<? extends Consumer<String, byte[]>> consumers;
    private final CapacityGate gate;
    private final Taker taker;
    private final Map<TopicPartition, Owned> owned = new HashMap<>();
    private final Deque<ConsumerRecord<String, byte[]>> waiting = new ArrayDeque<>();
    private volatile List<InboxPartition> partitions = List.of();
    private volatile long changedAtNanos = System.nanoTime();
    private volatile @Nullable Consumer<String, byte[]> reading;
    private volatile boolean closed;

    /// Receives the records. Must not block.
    interface Taker {
        /// @param isNew whether the ticket was appended when its partition was this worker's already
        /// @param permit given back by the taker
        void take(ConsumerRecord<String, byte[]> ticket, boolean isNew, Permit permit);

        /// Comes after the tickets before it, as far as there are permits for them.
        void draft(ConsumerRecord<String, byte[]> request);
    }

    /// What is known of a partition of this worker.
    private static final class Owned {
        /// Offset of the first ticket that is not taken.
        private long taken = UNKNOWN;
        /// Where the partition ended when it was given to this worker, or later.
        private long end = UNKNOWN;
    }

    InboxConsumer(
            String topic, Supplier<? extends Consumer<String, byte[]>> consumers, CapacityGate gate, Taker taker) {
        this.topic = topic;
        this.consumers = consumers;
        this.gate = gate;
        this.taker = taker;
    }

    /// The partitions of this worker, and up to where it has taken their tickets. Any thread.
    List<InboxPartition> partitions() {
        return partitions;
    }

    /// True if this worker had no partition for so long. Any thread.
    boolean lacksPartition(Duration since) {
        return partitions.isEmpty() && System.nanoTime() - changedAtNanos > since.toNanos();
    }

    /// Takes no more and leaves the group. Any thread.
    void close() {
        closed = true;
        var asking = reading;
        if (asking != null) {
            asking.wakeup();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = consumers.get()) {
                join(consumer);
                while (!closed) {
                    round(consumer);
                }
            } catch (WakeupException e) {
                LOG.debug("inbox is closed");
            } catch (InterruptedException e) {
                return;
            } catch (KafkaException e) {
                LOG.warn(
                        "inbox is opened again topic={} cause={}",
                        topic,
                        e.getClass().getSimpleName());
                pause();
            } catch (RuntimeException e) {
                LOG.error("inbox failed and is opened again topic={}", topic, e);
                pause();
            } finally {
                forget(Set.copyOf(owned.keySet()));
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    void join(Consumer<String, byte[]> consumer) {
        reading = consumer;
        consumer.subscribe(List.of(topic), new Ownership(consumer));
    }

    /// Polls once, and takes what there are permits for.
    void round(Consumer<String, byte[]> consumer) throws InterruptedException {
        boolean idle = waiting.isEmpty();
        if (idle) {
            consumer.resume(consumer.paused());
        }
        var drafts = new ArrayList<ConsumerRecord<String, byte[]>>();
        for (var record : consumer.poll(idle ? POLL : Duration.ZERO)) {
            waiting.add(record);
            if (DraftRequest.isMeantBy(record)) {
                drafts.add(record);
            }
        }
        learn(consumer);
        take(consumer);
        drafts.forEach(taker::draft);
    }

    private void take(Consumer<String, byte[]> consumer) throws InterruptedException {
        var taken = new ArrayList<Runnable>();
        var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
        while (!waiting.isEmpty()) {
            boolean isDraft = DraftRequest.isMeantBy(waiting.element());
            var permit = isDraft ? null : gate.tryAcquire(taken.isEmpty() ? WAIT : Duration.ZERO);
            if (permit == null && !isDraft) {
                break;
            }
            var ticket = waiting.remove();
            var partition = partition(ticket);
            var its = Objects.requireNonNull(owned.get(partition));
            boolean isNew = its.end != UNKNOWN && ticket.offset() >= its.end;
            its.taken = ticket.offset() + 1;
            offsets.put(partition, new OffsetAndMetadata(its.taken));
            if (permit != null) {
                taken.add(() -> taker.take(ticket, isNew, permit));
            }
        }
        if (!offsets.isEmpty()) {
            publish();
            consumer.commitAsync(offsets, (_, failure) -> {
                if (failure != null) {
                    // Who gets the partition reads the tickets again, and their logs first.
                    LOG.debug(
                            "positions not committed cause={}",
                            failure.getClass().getSimpleName());
                }
            });
            taken.forEach(Runnable::run);
        }
        if (!waiting.isEmpty()) {
            consumer.pause(consumer.assignment());
        }
    }

    /// Learns where new partitions begin and end. Until their end is known, all tickets count as old.
    private void learn(Consumer<String, byte[]> consumer) {
        if (owned.values().stream().noneMatch(its -> its.end == UNKNOWN || its.taken == UNKNOWN)) {
            return;
        }
        for (var ticket : waiting) {
            var its = Objects.requireNonNull(owned.get(partition(ticket)));
            its.taken = its.taken == UNKNOWN ? ticket.offset() : its.taken;
        }
        try {
            ends(consumer);
            owned.forEach((partition, its) ->
                    its.taken = its.taken == UNKNOWN ? consumer.position(partition, Duration.ZERO) : its.taken);
        } catch (TimeoutException e) {
            LOG.debug("inbox is not known yet topic={}", topic);
        }
        publish();
    }

    private void ends(Consumer<String, byte[]> consumer) {
        var unknown = owned.keySet().stream()
                .filter(partition -> Objects.requireNonNull(owned.get(partition)).end == UNKNOWN)
                .collect(Collectors.toSet());
        if (!unknown.isEmpty()) {
            consumer.endOffsets(unknown, ASK)
                    .forEach((partition, end) -> Objects.requireNonNull(owned.get(partition)).end = end);
        }
    }

    private void publish() {
        changedAtNanos = System.nanoTime();
        partitions = owned.entrySet().stream()
                .filter(entry -> entry.getValue().taken != UNKNOWN)
                .map(entry -> new InboxPartition(entry.getKey().partition(), entry.getValue().taken))
                .sorted(Comparator.comparing(InboxPartition::partition))
                .toList();
    }

    private void forget(Collection<TopicPartition> gone) {
        owned.keySet().removeAll(gone);
        waiting.removeIf(ticket -> gone.contains(partition(ticket)));
        publish();
    }

    private static TopicPartition partition(ConsumerRecord<?, ?> ticket) {
        return new TopicPartition(ticket.topic(), ticket.partition());
    }

    /// Called by the consumer while it polls or closes.
    private final class Ownership implements ConsumerRebalanceListener {
        private final Consumer<String, byte[]> consumer;

        private Ownership(Consumer<String, byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> given) {
            given.forEach(partition -> owned.put(partition, new Owned()));
            try {
                ends(consumer);
            } catch (TimeoutException e) {
                LOG.debug("ends of partitions are not known yet topic={}", topic);
            }
            if (!given.isEmpty()) {
                LOG.info("inbox has partitions={} of topic={}", owned.size(), topic);
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> taken) {
            var offsets = new HashMap<TopicPartition, OffsetAndMetadata>();
            for (var partition : taken) {
                var its = owned.get(partition);
                if (its != null && its.taken != UNKNOWN) {
                    offsets.put(partition, new OffsetAndMetadata(its.taken));
                }
            }
            forget(taken);
            try {
                consumer.commitSync(offsets, ASK);
            } catch (KafkaException e) {
                LOG.debug("positions not committed cause={}", e.getClass().getSimpleName());
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> lost) {
            forget(lost);
        }
    }
}
