package dev.counterpoint.worker.take;

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
import dev.counterpoint.worker.attempt.Attempt;
import dev.counterpoint.worker.attempt.AttemptContext;
import dev.counterpoint.worker.attempt.AttemptSpans;
import dev.counterpoint.worker.attempt.CapacityGate;
import dev.counterpoint.worker.attempt.FramePublisher;
import dev.counterpoint.worker.attempt.InFlightJobs;
import dev.counterpoint.worker.attempt.ResumeState;
import dev.counterpoint.worker.attempt.TraceRecordHeader;
import dev.counterpoint.worker.attempt.WorkerContext;
import dev.counterpoint.worker.attempt.WorkerMetrics;
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

/// Makes a taken job this worker's own: appends the fence and awaits it, reads the log up to it, and runs the
/// attempt if the fence won. A first attempt starts while its fence is on its way, so that the engine reads the prompt
/// meanwhile; it says nothing before its fence has won, and ends unheard where another's did. Thread-safe.
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

    AttemptSpans spans(ConsumerRecord<String, byte[]> record, JobTicket ticket) {
        return AttemptSpans.of(worker.tracing(), record, ticket);
    }

    /// @param permit given back by the attempt where one runs when this returns, else by the caller
    WorkerMetrics.Outcome start(JobTicket ticket, CapacityGate.Permit permit, AttemptContext.Taken taken)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (System.currentTimeMillis() > ticket.deadlineMillis()) {
            return WorkerMetrics.Outcome.NOT_NEEDED;
        }
        try (var claim = jobs.claim(ticket)) {
            var keys = AttemptKeys.create();
            var fence = fence(ticket, NONCES.nextLong(), keys);
            var publisher = new FramePublisher(ticket, fence.nonce(), keys, bus.sender());
            return new Fencing(claim, fence, new AttemptContext(ticket, publisher, permit, taken)).run();
        }
    }

    /// One job on its way from the queue to its attempt.
    private final class Fencing {
        private final InFlightJobs.Claim claim;
        private final Frame fence;
        private final AttemptContext context;
        private final JobTicket ticket;
        private final FramePublisher publisher;
        private boolean judged;
        private @Nullable LogTrust trust;
        private boolean started;

        private Fencing(InFlightJobs.Claim claim, Frame fence, AttemptContext context) {
            this.claim = claim;
            this.fence = fence;
            this.context = context;
            ticket = context.ticket();
            publisher = context.publisher();
        }

        private WorkerMetrics.Outcome run() throws InterruptedException, ExecutionException, TimeoutException {
            var outcome = WorkerMetrics.Outcome.NOT_NEEDED;
            try {
                var sent = bus.send(record(fence));
                startEarly();
                long fenced = WorkerBus.offset(sent);
                outcome = fenced(fenced);
                return outcome;
            } finally {
                if (outcome != WorkerMetrics.Outcome.RUN) {
                    withdraw();
                }
            }
        }

        /// A later attempt goes on from what the log says up to its fence. What is wrong with a job is told once the
        /// fence is there.
        private void startEarly() throws InterruptedException {
            if (ticket.attempt() > 1) {
                return;
            }
            try {
                var first = bus.log().first(ticket);
                if (first.isPresent() && trust(first.get()) != null) {
                    var accepted = Accepted.decode(first.get().body());
                    if (ticket.agreesWith(accepted)) {
                        start(accepted, job(accepted), List.of());
                    }
                }
            } catch (KafkaException | SealException | MalformedMessageException e) {
                LOG.debug("not started before its fence responseId={}", ticket.response());
            }
        }

        private WorkerMetrics.Outcome fenced(long offset) throws InterruptedException {
            try {
                return decide(bus.log().fetch(ticket, offset));
            } catch (KafkaException | SealException e) {
                // The fence stands: until this worker says that it gives up, whoever else takes the job has lost.
                LOG.warn(
                        "log cannot be read responseId={} cause={}",
                        ticket.response(),
                        e.getClass().getSimpleName());
                withdraw();
                publisher.handoverUnstarted();
                return WorkerMetrics.Outcome.HANDED_OVER;
            }
        }

        private WorkerMetrics.Outcome decide(List<Frame> frames) throws InterruptedException {
            var log = frames.isEmpty() ? null : trust(frames.getFirst());
            if (log == null) {
                return WorkerMetrics.Outcome.NOT_NEEDED;
            }
            log.trust(fence);
            var resume = new ResumeState(ticket, log);
            frames.forEach(resume::accept);
            if (!resume.wonBy(fence.nonce())) {
                return WorkerMetrics.Outcome.NOT_NEEDED;
            }
            var accepted = Accepted.decode(frames.getFirst().body());
            if (!ticket.agreesWith(accepted)) {
                // Both are signed, so a gateway is at fault: nothing runs on terms that the log denies.
                worker.keys().signatures().refused(Topic.jobsName(accepted.model(), accepted.band()), Reason.CONTENT);
                withdraw();
                publisher.handoverUnstarted();
                return WorkerMetrics.Outcome.FORGED;
            }
            publisher.fenced(true);
            return started ? WorkerMetrics.Outcome.RUN : start(accepted, resume.said());
        }

        private WorkerMetrics.Outcome start(Accepted accepted, List<ResumeState.Said> said)
                throws InterruptedException {
            try {
                start(accepted, job(accepted), said);
                return WorkerMetrics.Outcome.RUN;
            } catch (MalformedMessageException | SealException e) {
                // This worker holds the response, and no other would read the job any better.
                LOG.error("job cannot be read responseId={}", ticket.response());
                endUnread(TraceRecordHeader.of(ticket.response(), accepted));
                return WorkerMetrics.Outcome.UNREADABLE;
            }
        }

        private void start(Accepted accepted, GenerationJob job, List<ResumeState.Said> said) {
            var audit = TraceRecordHeader.of(ticket.response(), accepted);
            claim.start(new Attempt(context.inBand(accepted.band()), job, audit, said, worker));
            started = true;
        }

        private GenerationJob job(Accepted accepted) {
            var sealedTo = Accepted.jobContext(ticket.tenant(), ticket.response());
            return GenerationJob.decode(worker.keys().open(accepted.sealed().job(), sealedTo));
        }

        private void endUnread(@Nullable TraceRecordHeader audit) throws InterruptedException {
            var end = new End(End.Finish.INVALID_PROMPT, 0, 0, 0, 0, System.currentTimeMillis());
            var spans = context.taken().spans();
            boolean traced = audit == null || publisher.trace(audit.record(end, List.of(), worker.keys()), spans);
            if (!traced || !publisher.end(end, spans)) {
                publisher.handover();
            }
        }

        /// Frame 0 is judged once, for a refusal is counted.
        private @Nullable LogTrust trust(Frame first) {
            if (!judged) {
                judged = true;
                trust = LogTrust.of(first, worker.keys());
            }
            return trust;
        }

        /// Ends the attempt unheard, if there is one.
        private void withdraw() throws InterruptedException {
            claim.stop();
            publisher.fenced(false);
            claim.awaitEnd();
        }
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
}
