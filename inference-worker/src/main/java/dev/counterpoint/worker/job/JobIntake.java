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
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the jobs of one band: take one while there is room, append the fence and await it, read the log up to it,
/// acknowledge, run. From the acknowledgement on the log tracks the attempt; before it, the queue gives the job to
/// another worker. One thread.
///
/// Kafka's consumer that asked an empty queue goes on asking by itself: the next job comes to it whether there is still
/// room or not. So a band asks in its turn and with a place in hand; once it has asked in vain, it hands the place back
/// and listens. A job that comes then and finds no room goes back to the queue at once, and the band is in line for the
/// next place: no job waits here for one while another worker has it free.
final class JobIntake implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JobIntake.class);
    private static final Duration POLL = Duration.ofMillis(250);
    /// Within this an answer about a queue that has jobs should be here.
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final long APPEND_TIMEOUT_SECONDS = 11;
    private static final SecureRandom NONCES = new SecureRandom();

    private final Attempt.Workplace work;
    private final Workshop workshop;
    private final Queue queue;
    private volatile @Nullable KafkaShareConsumer<String, byte[]> taking;
    private volatile boolean closed;

    /// What the bands of a worker share.
    record Workshop(Clients clients, Producer<String, byte[]> producer, Room room, Running running, LogFetcher log) {}

    /// @param band of jobs of this worker's model
    /// @param topic where they stand
    /// @param group the share group of its workers
    /// @param worker this incarnation, as in its beats
    record Queue(Topic.Band band, String topic, String group, String worker) {}

    JobIntake(Attempt.Workplace work, Workshop workshop, Queue queue) {
        this.work = work;
        this.workshop = workshop;
        this.queue = queue;
    }

    /// Takes no more jobs; what was taken and not fenced goes back to the queue.
    void close() {
        closed = true;
        var asking = taking;
        if (asking != null) {
            asking.wakeup();
        }
    }

    @Override
    public void run() {
        while (!closed) {
            try (var consumer = workshop.clients.jobTaker(queue.group())) {
                taking = consumer;
                consumer.subscribe(List.of(queue.topic()));
                take(consumer);
            } catch (InterruptedException | WakeupException e) {
                return;
            } catch (KafkaException e) {
                LOG.warn("taking jobs is retried cause={}", e.getClass().getSimpleName());
                pause();
            } catch (RuntimeException e) {
                LOG.error("taking jobs failed and is retried topic={}", queue.topic(), e);
                pause();
            }
        }
    }

    private void take(KafkaShareConsumer<String, byte[]> consumer) throws InterruptedException {
        boolean listening = false;
        while (!closed) {
            var place = listening ? null : workshop.room.await(queue.band(), POLL);
            if (place != null || listening) {
                listening = !takeNext(consumer, place);
            }
        }
    }

    /// @param held the place for it; null while listening
    /// @return whether there was a job
    private boolean takeNext(KafkaShareConsumer<String, byte[]> consumer, Room.@Nullable Place held)
            throws InterruptedException {
        var records = ConsumerRecords.<String, byte[]>empty();
        try {
            records = consumer.poll(held == null ? POLL : LOOK);
        } finally {
            if (records.isEmpty()) {
                foundNothing(held);
            }
        }
        for (var record : records) {
            var answer = AcknowledgeType.RELEASE;
            try {
                var place = held == null ? workshop.room.take(queue.band()) : held;
                answer = place == null ? giveBack(record) : take(record, place);
            } finally {
                consumer.acknowledge(record, answer);
                consumer.commitAsync();
            }
        }
        return !records.isEmpty();
    }

    /// Whoever listened has waited for long, so no job comes soon that needs the log that was read.
    private void foundNothing(Room.@Nullable Place held) {
        if (held == null) {
            workshop.log.forget();
        } else {
            held.close();
        }
    }

    /// A copy goes to the end of the queue. To release the record would count as a delivery, and after a few of
    /// these the queue drops it; a copy counts anew, and a job that is there twice costs a read.
    private AcknowledgeType giveBack(ConsumerRecord<String, byte[]> record) throws InterruptedException {
        if (closed) {
            return AcknowledgeType.RELEASE;
        }
        work.metrics().returned();
        try {
            await(new ProducerRecord<>(record.topic(), record.key(), record.value()));
            return AcknowledgeType.ACCEPT;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            return AcknowledgeType.RELEASE;
        }
    }

    private AcknowledgeType take(ConsumerRecord<String, byte[]> record, Room.Place place) throws InterruptedException {
        long started = System.nanoTime();
        long startedMillis = System.currentTimeMillis();
        boolean runs = false;
        try {
            if (closed) {
                return AcknowledgeType.RELEASE;
            }
            var ticket = JobTicket.decode(record.value());
            var outcome = fence(ticket, place, started);
            runs = outcome == WorkerMetrics.Outcome.RUN;
            if (runs && ticket.attempt() == 1) {
                work.metrics()
                        .waited(queue.band(), startedMillis - ticket.response().acceptedAtMillis());
            }
            work.metrics().taken(outcome, Duration.ofNanos(System.nanoTime() - started));
            return AcknowledgeType.ACCEPT;
        } catch (MalformedMessageException | SealException e) {
            LOG.error("job cannot be read topic={} offset={}", record.topic(), record.offset());
            work.metrics().taken(WorkerMetrics.Outcome.UNREADABLE, Duration.ofNanos(System.nanoTime() - started));
            return AcknowledgeType.REJECT;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn(
                    "job goes back to the queue offset={} cause={}",
                    record.offset(),
                    e.getClass().getSimpleName());
            return AcknowledgeType.RELEASE;
        } catch (RuntimeException e) {
            if (closed) {
                // What it needs is closed already; that is not its fault.
                return AcknowledgeType.RELEASE;
            }
            // One job that hits a mistake of ours must not end the taking of all others.
            LOG.error("job failed topic={} offset={}", record.topic(), record.offset(), e);
            return AcknowledgeType.REJECT;
        } finally {
            if (!runs) {
                place.close();
            }
        }
    }

    private WorkerMetrics.Outcome fence(JobTicket ticket, Room.Place place, long takenAtNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        try (var claim = workshop.running.claim(ticket)) {
            var keys = AttemptKeys.create();
            long nonce = NONCES.nextLong();
            long fenced = append(ticket, nonce, keys);
            var frames = workshop.log.fetch(ticket.response(), ticket.acceptedOffset(), fenced);
            var prefix = new Prefix(ticket, work.keys());
            frames.forEach(prefix::accept);
            if (frames.isEmpty() || !prefix.wonBy(nonce)) {
                return WorkerMetrics.Outcome.NOT_NEEDED;
            }
            var outbox = new FrameOutbox(ticket, nonce, keys, workshop.producer);
            return run(
                    claim,
                    new Attempt.Hold(ticket, outbox, place, takenAtNanos),
                    Accepted.decode(frames.getFirst().body()),
                    prefix);
        }
    }

    private WorkerMetrics.Outcome run(Running.Claim claim, Attempt.Hold hold, Accepted accepted, Prefix prefix)
            throws InterruptedException {
        var ticket = hold.ticket();
        var audit = AuditTrail.of(ticket.response(), accepted);
        try {
            var job = GenerationJob.decode(
                    work.keys().open(accepted.sealed().job(), Accepted.jobContext(ticket.tenant(), ticket.response())));
            claim.start(new Attempt(hold, job, audit, prefix.said(), work));
            return WorkerMetrics.Outcome.RUN;
        } catch (MalformedMessageException | SealException e) {
            // This worker holds the response, and no other would read the job any better.
            LOG.error("job cannot be read responseId={}", ticket.response());
            var outbox = hold.outbox();
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
        return await(new ProducerRecord<>(Topic.FRAMES, response.partition(), response.toString(), frame.encode()));
    }

    /// @return where the record stands
    private long await(ProducerRecord<String, byte[]> record)
            throws InterruptedException, ExecutionException, TimeoutException {
        return workshop.producer
                .send(record)
                .get(APPEND_TIMEOUT_SECONDS, TimeUnit.SECONDS)
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
