package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.UnknownFields;
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

    /// How a job came, and so what may happen before its log is read.
    enum Way {
        /// By a share group, which gives the job to another worker if its fence cannot be appended.
        QUEUE,
        /// Into an inbox, where another worker may have read it too.
        LOG_FIRST,
        /// Into an inbox that was this worker's already: unless the ticket was sent again, nobody else has it.
        NEW
    }

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

    /// Starts the job of a record, and gives the permit back where no attempt runs.
    ///
    /// @throws MalformedMessageException when what a gateway signed is no ticket
    void take(ConsumerRecord<String, byte[]> record, Way way, CapacityGate.Permit permit)
            throws InterruptedException, ExecutionException, TimeoutException {
        var taken = AttemptContext.Taken.now(AttemptSpans.NONE);
        boolean runs = false;
        try {
            var ticket = ticket(record);
            var outcome = Outcome.FORGED;
            if (ticket != null) {
                taken = new AttemptContext.Taken(taken.atNanos(), AttemptSpans.of(worker.tracing(), record, ticket));
                outcome = start(way, ticket, permit, taken);
            }
            runs = outcome == Outcome.RUN;
            worker.metrics().taken(outcome, taken.since());
            taken.spans().taken(outcome);
        } catch (MalformedMessageException | SealException e) {
            LOG.error("job cannot be read topic={} offset={}", record.topic(), record.offset());
            worker.metrics().taken(Outcome.UNREADABLE, taken.since());
            taken.spans().notTaken(e);
            throw e;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            taken.spans().notTaken(e);
            throw e;
        } finally {
            if (!runs) {
                taken.spans().close();
                permit.close();
            }
        }
    }

    /// Starts the job of a ticket of the inbox on a thread of its own.
    ///
    /// @param isNew whether its partition was this worker's when the ticket came
    void takeAside(ConsumerRecord<String, byte[]> record, boolean isNew, CapacityGate.Permit permit) {
        Thread.ofVirtual().name("take-job").start(() -> {
            try {
                take(record, isNew ? Way.NEW : Way.LOG_FIRST, permit);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (MalformedMessageException | SealException e) {
                LOG.debug("no other worker would read it any better offset={}", record.offset());
            } catch (ExecutionException | TimeoutException | RuntimeException e) {
                LOG.error("job failed topic={} offset={}", record.topic(), record.offset(), e);
            }
        });
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

    /// @param permit given back by the attempt where one runs when this returns, else by the caller
    Outcome start(Way way, JobTicket ticket, CapacityGate.Permit permit, AttemptContext.Taken taken)
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
                outcome = start(way, job, fence);
                return outcome;
            } finally {
                if (outcome != Outcome.RUN) {
                    job.withdraw();
                }
            }
        }
    }

    private Outcome start(Way way, JobStart job, Frame fence)
            throws InterruptedException, ExecutionException, TimeoutException {
        var sent = bus.send(fence.record());
        var ticket = job.ticket();
        if (way == Way.NEW && !ticket.resent() && ticket.attempt() == 1) {
            job.early();
        }
        try {
            return job.fenced(WorkerBus.offset(sent));
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            if (way == Way.QUEUE) {
                throw e;
            }
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
        var frame = new Frame(
                response,
                ticket.attempt(),
                nonce,
                0,
                Lane.CONTROL,
                FrameKind.FENCE,
                0,
                fence.encode(),
                UnknownFields.NONE);
        return worker.keys().signatures().sign(frame.in(ticket.format()));
    }
}
