package dev.counterpoint.worker.job;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.Lane;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.KafkaClients;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.AttemptKeys;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.seal.SignedRecord;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.bus.wire.UnknownFields;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
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

    /// The ticket, or null when no gateway signed it for this queue; this is counted.
    ///
    /// @throws MalformedMessageException when what a gateway signed is no ticket
    @Nullable
    JobTicket ticket(ConsumerRecord<String, byte[]> record) {
        try {
            var signed = KafkaClients.body(record);
            return JobTicket.decode(
                    worker.keys().signatures().verified(SignedRecord.JOB_TICKET, record.topic(), signed));
        } catch (SealException e) {
            return null;
        }
    }

    /// The spans of a job that was taken.
    AttemptSpans spans(ConsumerRecord<String, byte[]> record, JobTicket ticket) {
        return AttemptSpans.of(worker.tracing(), record, ticket);
    }

    /// @param permit given back by the attempt where one is started, else by the caller
    WorkerMetrics.Outcome start(JobTicket ticket, CapacityGate.Permit permit, AttemptContext.Taken taken)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        try (var claim = jobs.claim(ticket)) {
            var keys = AttemptKeys.create();
            var fence = fence(ticket, NONCES.nextLong(), keys);
            var publisher = new FramePublisher(ticket, fence.nonce(), keys, bus.producer(jobs.claimed()));
            long fenced = bus.append(record(fence));
            try {
                var frames = bus.log().fetch(ticket, fenced);
                return start(claim, fence, frames, new AttemptContext(ticket, publisher, permit, taken));
            } catch (KafkaException | SealException e) {
                // The fence stands: until this worker says that it gives up, whoever else takes the job has lost.
                LOG.warn(
                        "log cannot be read responseId={} cause={}",
                        ticket.response(),
                        e.getClass().getSimpleName());
                publisher.handover();
                return WorkerMetrics.Outcome.HANDED_OVER;
            }
        }
    }

    private WorkerMetrics.Outcome start(
            InFlightJobs.Claim claim, Frame fence, List<Frame> frames, AttemptContext context)
            throws InterruptedException {
        var ticket = context.ticket();
        var trust = frames.isEmpty() ? null : LogTrust.of(frames.getFirst(), worker.keys());
        if (trust == null) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        trust.trust(fence);
        var resume = new ResumeState(ticket, trust);
        frames.forEach(resume::accept);
        if (!resume.wonBy(fence.nonce())) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        var accepted = Accepted.decode(frames.getFirst().body());
        if (!ticket.agreesWith(accepted)) {
            // Both are signed, so a gateway is at fault: nothing runs on terms that the log denies.
            worker.keys().signatures().refused(Topic.jobsName(accepted.model(), accepted.band()), Reason.CONTENT);
            context.publisher().handover();
            return WorkerMetrics.Outcome.FORGED;
        }
        return start(claim, context.inBand(accepted.band()), accepted, resume.said());
    }

    private Frame fence(JobTicket ticket, long nonce, AttemptKeys keys) {
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
        return worker.keys().signatures().sign(frame);
    }

    private static ProducerRecord<String, byte[]> record(Frame frame) {
        var response = frame.response();
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
            boolean traced = audit == null
                    || publisher.trace(
                            audit.record(end, List.of(), worker.keys()),
                            context.taken().spans());
            if (!traced || !publisher.end(end, context.taken().spans())) {
                publisher.handover();
            }
            return WorkerMetrics.Outcome.UNREADABLE;
        }
    }
}
