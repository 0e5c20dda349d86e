package dev.counterpoint.worker.job;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.UnknownFields;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes a taken job this worker's own: appends the fence and awaits it, reads the log up to it, and starts the
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

    /// @param permit given back by the attempt where one is started, else by the caller
    /// @throws SealException when a valid frame of the log does not open
    WorkerMetrics.Outcome start(JobTicket ticket, CapacityGate.Permit permit, long takenAtNanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        try (var claim = jobs.claim(ticket)) {
            var keys = AttemptKeys.create();
            long nonce = NONCES.nextLong();
            long fenced = bus.append(fence(ticket, nonce, keys));
            var frames = bus.log().fetch(ticket.response(), ticket.acceptedOffset(), fenced);
            var resume = new ResumeState(ticket, worker.keys());
            frames.forEach(resume::accept);
            if (frames.isEmpty() || !resume.wonBy(nonce)) {
                return WorkerMetrics.Outcome.NOT_NEEDED;
            }
            var publisher = new FramePublisher(ticket, nonce, keys, bus.producer());
            var context = new AttemptContext(ticket, publisher, permit, takenAtNanos);
            return start(claim, context, Accepted.decode(frames.getFirst().body()), resume.said());
        }
    }

    private ProducerRecord<String, byte[]> fence(JobTicket ticket, long nonce, AttemptKeys keys) {
        var response = ticket.response();
        var place = new AttemptKeys.Place(ticket.tenant(), response, ticket.attempt(), nonce);
        var fence = keys.fence(name, place, ticket.rawReaders(), worker.keys());
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
        return new ProducerRecord<>(Topic.FRAMES, response.partition(), response.toString(), frame.encode());
    }

    private WorkerMetrics.Outcome start(
            InFlightJobs.Claim claim, AttemptContext context, Accepted accepted, List<ResumeState.Said> said)
            throws InterruptedException {
        var ticket = context.ticket();
        var audit = TraceRecordHeader.of(ticket.response(), accepted);
        try {
            var sealedTo = Accepted.jobContext(ticket.tenant(), ticket.response());
            var job = GenerationJob.decode(worker.keys().open(accepted.sealed().job(), sealedTo));
            claim.start(new Attempt(context, job, audit, said, worker));
            return WorkerMetrics.Outcome.RUN;
        } catch (MalformedMessageException | SealException e) {
            // This worker holds the response, and no other would read the job any better.
            LOG.error("job cannot be read responseId={}", ticket.response());
            var publisher = context.publisher();
            var end = new End(End.Finish.INVALID_PROMPT, 0, 0, 0, 0, System.currentTimeMillis());
            boolean traced = audit == null || publisher.trace(audit.record(end, List.of(), worker.keys()));
            if (!traced || !publisher.end(end)) {
                publisher.handover();
            }
            return WorkerMetrics.Outcome.UNREADABLE;
        }
    }
}
