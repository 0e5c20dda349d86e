package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.attempt.AttemptContext;
import dev.counterpoint.worker.attempt.AttemptSpans;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.FramePublisher;
import dev.counterpoint.worker.attempt.InFlightJobs;
import dev.counterpoint.worker.attempt.WorkerContext;
import dev.counterpoint.worker.attempt.WorkerMetrics.Outcome;
import java.security.SecureRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a taken job this worker's own: verifies its ticket, appends the fence, reads the log up to it, and runs the
/// attempt if the fence won. Thread-safe.
final class AttemptStarter {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptStarter.class);
    private static final SecureRandom NONCES = new SecureRandom();

    private final String name;
    private final WorkerContext worker;
    private final WorkerBus bus;
    private final InFlightJobs jobs;

    /// @param name of this worker's incarnation, as in its heartbeats
    AttemptStarter(String name, WorkerContext worker, WorkerBus bus, InFlightJobs jobs) {
        this.name = name;
        this.worker = worker;
        this.bus = bus;
        this.jobs = jobs;
    }

    WorkerContext worker() {
        return worker;
    }

    LogSearch log() {
        return bus.log();
    }

    /// Starts the job of a ticket on a new thread and returns the permit if no attempt runs.
    ///
    /// @param isNew whether its partition was this worker's when the ticket came: unless the ticket was sent
    ///     again, no other worker has it
    void take(ConsumerRecord<String, byte[]> record, boolean isNew, CapacityGate.Permit permit) {
        Thread.ofVirtual().name("take-job").start(() -> start(record, isNew, permit));
    }

    private void start(ConsumerRecord<String, byte[]> record, boolean isNew, CapacityGate.Permit permit) {
        var taken = AttemptContext.Taken.now(AttemptSpans.NONE);
        var outcome = Outcome.FORGED;
        try {
            var ticket = ticket(record);
            if (ticket != null) {
                taken = new AttemptContext.Taken(taken.atNanos(), AttemptSpans.of(worker.tracing(), record, ticket));
                outcome = start(ticket, isNew, permit, taken);
            }
            worker.metrics().taken(outcome, taken.since());
            taken.spans().taken(outcome);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (MalformedMessageException | SealException e) {
            // No other worker would read it any better.
            LOG.error("job cannot be read topic={} offset={}", record.topic(), record.offset());
            worker.metrics().taken(Outcome.UNREADABLE, taken.since());
            taken.spans().notTaken(e);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.error("job failed topic={} offset={}", record.topic(), record.offset(), e);
            taken.spans().notTaken(e);
        } finally {
            if (outcome != Outcome.RUN) {
                taken.spans().close();
                permit.close();
            }
        }
    }

    /// The ticket, or null when no gateway signed it for this topic; this is counted.
    private @Nullable JobTicket ticket(ConsumerRecord<String, byte[]> record) {
        try {
            var signed = KafkaClients.body(record);
            return JobTicket.decode(
                    worker.keys().signatures().verified(SignedRecord.JOB_TICKET, record.topic(), signed));
        } catch (SealException e) {
            return null;
        }
    }

    /// @param isNew as in [#take]
    /// @param permit given back by the attempt where one runs when this returns, else by the caller
    Outcome start(JobTicket ticket, boolean isNew, CapacityGate.Permit permit, AttemptContext.Taken taken)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return Outcome.NOT_NEEDED;
        }
        try (var claim = jobs.claim(ticket)) {
            var keys = AttemptKeys.create();
            var fence = fence(ticket, NONCES.nextLong(), keys);
            var publisher = new FramePublisher(ticket, fence.nonce(), keys, bus.sender());
            var job = new JobStart(this, claim, fence, new AttemptContext(ticket, publisher, permit, taken));
            var outcome = Outcome.NOT_NEEDED;
            try {
                outcome = start(job, fence, isNew);
                return outcome;
            } finally {
                if (outcome != Outcome.RUN) {
                    job.withdraw();
                }
            }
        }
    }

    private Outcome start(JobStart job, Frame fence, boolean isNew)
            throws InterruptedException, ExecutionException, TimeoutException {
        var sent = bus.send(fence.record());
        var ticket = job.ticket();
        if (isNew && !ticket.resent() && ticket.attempt() == 1) {
            job.early();
        }
        try {
            return job.fenced(WorkerBus.offset(sent));
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            // No other worker gets the job while this one lives.
            LOG.warn(
                    "fence is sent again responseId={} cause={}",
                    ticket.response(),
                    e.getClass().getSimpleName());
            return job.unfenced();
        }
    }

    private Frame fence(JobTicket ticket, long nonce, AttemptKeys keys) {
        var response = ticket.response();
        var place = new AttemptKeys.Place(ticket.tenant(), response, ticket.attempt(), nonce);
        var sealer = worker.keys().sealer(ticket.format());
        var fence = keys.fence(name, place, ticket.rawReaders(), sealer);
        var frame = Frame.sign(response, ticket.attempt(), nonce, FrameKind.FENCE)
                .in(ticket.format())
                .withBody(fence.encode());
        return worker.keys().signatures().sign(frame);
    }
}
