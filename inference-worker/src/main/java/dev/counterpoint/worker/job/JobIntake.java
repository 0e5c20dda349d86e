package dev.counterpoint.worker.job;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Clients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.Unknown;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes jobs: take one while a slot is free, append the fence and await it, read the log up to it,
/// acknowledge, run. From the acknowledgement on the log tracks the attempt; before it, the queue gives the job
/// to another worker. One thread.
final class JobIntake implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JobIntake.class);
    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long FENCE_TIMEOUT_SECONDS = 11;
    private static final SecureRandom NONCES = new SecureRandom();

    private final Attempt.Workplace work;
    private final Clients clients;
    private final Producer<String, byte[]> producer;
    private final Running running;
    private final Queue queue;
    private volatile boolean closed;

    /// @param topic the queue of this worker's model
    /// @param group the share group of its workers
    /// @param worker this incarnation, as in its beats
    record Queue(String topic, String group, String worker) {}

    JobIntake(
            Attempt.Workplace work, Clients clients, Producer<String, byte[]> producer, Running running, Queue queue) {
        this.work = work;
        this.clients = clients;
        this.producer = producer;
        this.running = running;
        this.queue = queue;
    }

    /// Takes no more jobs; what was taken and not fenced goes back to the queue.
    void close() {
        closed = true;
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = clients.jobTaker(queue.group());
                    var log = new LogFetcher(clients.historyReader())) {
                consumer.subscribe(List.of(queue.topic()));
                while (!closed) {
                    if (running.awaitFreeSlot(POLL)) {
                        for (var record : consumer.poll(POLL)) {
                            take(record, consumer, log);
                        }
                    }
                }
            } catch (InterruptedException | WakeupException e) {
                return;
            } catch (KafkaException e) {
                LOG.warn("taking jobs is retried cause={}", e.getClass().getSimpleName());
                pause();
            }
        }
    }

    private void take(
            ConsumerRecord<String, byte[]> record, KafkaShareConsumer<String, byte[]> consumer, LogFetcher log)
            throws InterruptedException {
        long started = System.nanoTime();
        var answer = AcknowledgeType.RELEASE;
        try {
            var outcome = fence(JobTicket.decode(record.value()), log);
            work.metrics().taken(outcome, Duration.ofNanos(System.nanoTime() - started));
            answer = AcknowledgeType.ACCEPT;
        } catch (MalformedMessageException | SealException e) {
            LOG.error("job cannot be read topic={} offset={}", record.topic(), record.offset());
            work.metrics().taken(WorkerMetrics.Outcome.UNREADABLE, Duration.ofNanos(System.nanoTime() - started));
            answer = AcknowledgeType.REJECT;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn(
                    "job goes back to the queue offset={} cause={}",
                    record.offset(),
                    e.getClass().getSimpleName());
        } catch (RuntimeException e) {
            // One job that hits a mistake of ours must not end the taking of all others.
            LOG.error("job failed topic={} offset={}", record.topic(), record.offset(), e);
            answer = AcknowledgeType.REJECT;
        } finally {
            consumer.acknowledge(record, answer);
            consumer.commitAsync();
        }
    }

    private WorkerMetrics.Outcome fence(JobTicket ticket, LogFetcher log)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        var keys = AttemptKeys.create();
        long nonce = NONCES.nextLong();
        long fenced = append(ticket, nonce, keys);
        var frames = log.fetch(ticket.response(), ticket.acceptedOffset(), fenced);
        var prefix = new Prefix(ticket, work.keys());
        frames.forEach(prefix::accept);
        if (frames.isEmpty() || !prefix.wonBy(nonce)) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        return run(
                ticket,
                Accepted.decode(frames.getFirst().body()),
                prefix,
                new FrameOutbox(ticket, nonce, keys, producer));
    }

    private WorkerMetrics.Outcome run(JobTicket ticket, Accepted accepted, Prefix prefix, FrameOutbox outbox)
            throws InterruptedException {
        var audit = AuditTrail.of(ticket.response(), accepted);
        try {
            var job = GenerationJob.decode(
                    work.keys().open(accepted.job(), Accepted.jobContext(ticket.tenant(), ticket.response())));
            running.start(new Attempt(ticket, job, audit, prefix.said(), outbox, work));
            return WorkerMetrics.Outcome.RUN;
        } catch (MalformedMessageException | SealException e) {
            // This worker holds the response, and no other would read the job any better.
            LOG.error("job cannot be read responseId={}", ticket.response());
            var end = new End(End.Finish.INVALID_PROMPT, 0, 0, 0, 0, System.currentTimeMillis());
            boolean traced = audit == null || outbox.trace(audit.record(end, List.of(), work.keys()));
            if (!traced || !outbox.end(end)) {
                outbox.handover();
            }
            return WorkerMetrics.Outcome.UNREADABLE;
        }
    }

    private long append(JobTicket ticket, long nonce, AttemptKeys keys)
            throws InterruptedException, ExecutionException, TimeoutException {
        var response = ticket.response();
        var place = new AttemptKeys.Place(ticket.tenant(), response, ticket.attempt(), nonce);
        var fence = keys.fence(queue.worker(), place, ticket.rawReaders(), work.keys());
        var frame = new Frame(
                response, ticket.attempt(), nonce, 0, Lane.CONTROL, FrameKind.FENCE, 0, fence.encode(), Unknown.NONE);
        return producer.send(
                        new ProducerRecord<>(Topic.FRAMES, response.partition(), response.toString(), frame.encode()))
                .get(FENCE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .offset();
    }

    private void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }
}
