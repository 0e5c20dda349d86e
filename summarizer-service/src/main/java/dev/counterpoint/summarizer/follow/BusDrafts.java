package dev.counterpoint.summarizer.follow;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.draft.DraftAnswer;
import dev.counterpoint.bus.draft.DraftId;
import dev.counterpoint.bus.draft.DraftRequest;
import dev.counterpoint.bus.fleet.Heartbeat;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.summarizer.write.ModelDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Drafts over the bus: requests go to inboxes of workers. A separate thread reads heartbeats and all answers from
/// the ends of their topics and keeps the answers to this replica. All state is lost when the process ends.
final class BusDrafts implements DraftDesk, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BusDrafts.class);
    private static final TopicPartition ANSWERS = new TopicPartition(Topic.DRAFT_ANSWERS, 0);
    private static final TopicPartition BEATS = new TopicPartition(Topic.MODELS, 0);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final Duration POLL = Duration.ofMillis(500);
    /// A request is kept a little longer than its answer is useful, to count its cost.
    private static final long KEPT_MILLIS = 60_000;

    private final KeyRing keys;
    private final Producer<String, byte[]> producer;
    private final KafkaClients clients;
    private final SummarizerMetrics metrics;
    private final Map<DraftId, DraftRequest> asked = new ConcurrentHashMap<>();
    private final Queue<Draft> drafts = new ConcurrentLinkedQueue<>();
    /// Empty until the reader of answers has a position, so that no answer is missed.
    private final DraftWorkers workers;

    private volatile boolean closed;

    /// @param producer that others use, too
    BusDrafts(KeyRing keys, Producer<String, byte[]> producer, KafkaClients clients, SummarizerMetrics metrics) {
        this.keys = keys;
        this.producer = producer;
        this.clients = clients;
        this.metrics = metrics;
        workers = new DraftWorkers(keys, () -> System.nanoTime() / NANOS_PER_MILLI);
    }

    @Override
    public @Nullable DraftId ask(ResponseId response, ModelDraft draft) {
        try {
            var inbox = workers.choose(draft.model());
            if (inbox.isEmpty()) {
                return null;
            }
            long deadlineMillis = System.currentTimeMillis() + draft.withinMillis();
            var request = DraftRequest.seal(response, draft.model(), deadlineMillis, draft.task(), keys);
            var record = request.record(inbox.get(), keys);
            asked.put(request.id(), request);
            producer.send(record, (_, failure) -> {
                if (failure != null) {
                    fail(request.id());
                }
            });
            return request.id();
        } catch (KafkaException | IllegalArgumentException e) {
            LOG.warn(
                    "draft cannot be asked for responseId={} cause={}",
                    response,
                    e.getClass().getSimpleName());
            return null;
        }
    }

    /// True if drafts can be asked of a model.
    boolean asks(String model) {
        return workers.anyOf(model);
    }

    private void fail(DraftId id) {
        asked.remove(id);
        drafts.add(new Draft(id, null));
    }

    @Override
    public @Nullable Draft next() {
        return drafts.poll();
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = clients.reader()) {
                consumer.assign(List.of(ANSWERS, BEATS));
                listen(consumer);
            } catch (KafkaException e) {
                LOG.warn("reading drafts is retried cause={}", e.getClass().getSimpleName());
                // Avoids a busy loop when a broker refuses immediately.
                LockSupport.parkNanos(POLL.toNanos());
            } finally {
                workers.forget();
            }
        }
    }

    /// Reads answers and heartbeats from now on.
    void listen(Consumer<String, byte[]> consumer) {
        consumer.seekToEnd(List.of(ANSWERS, BEATS));
        consumer.position(ANSWERS);
        while (!closed) {
            var records = consumer.poll(POLL);
            records.records(BEATS).forEach(this::hear);
            records.records(ANSWERS).forEach(this::take);
            long now = System.currentTimeMillis();
            asked.values().removeIf(request -> now > request.deadlineMillis() + KEPT_MILLIS);
        }
    }

    private void hear(ConsumerRecord<String, byte[]> record) {
        workers.verified(KafkaClients.body(record))
                .filter(news -> known(news.beat()))
                .ifPresent(workers::accept);
    }

    /// Waits until the producer has the metadata of the inboxes of a worker's model, so that `send` does not block.
    private boolean known(Heartbeat beat) {
        try {
            producer.partitionsFor(
                    Topic.inboxName(Objects.requireNonNull(beat.model()).name()));
            return true;
        } catch (TimeoutException | IllegalArgumentException e) {
            return false;
        }
    }

    private void take(ConsumerRecord<String, byte[]> record) {
        try {
            var answer = DraftAnswer.verified(KafkaClients.body(record), keys);
            var request = asked.remove(answer.id());
            if (request != null) {
                metrics.drafted(answer.promptTokens(), answer.sampledTokens());
                drafts.add(new Draft(answer.id(), text(answer, request)));
            }
        } catch (SealException | MalformedMessageException e) {
            // A forger's, or a newer version's: whoever waits for it goes on without.
            LOG.warn(
                    "answer to a draft not read offset={} cause={}",
                    record.offset(),
                    e.getClass().getSimpleName());
        }
    }

    private @Nullable String text(DraftAnswer answer, DraftRequest request) {
        try {
            return answer.outcome() == DraftAnswer.Outcome.WRITTEN ? answer.open(request, keys) : null;
        } catch (SealException e) {
            LOG.warn("draft does not open responseId={}", request.response());
            return null;
        }
    }

    void close() {
        closed = true;
    }
}
