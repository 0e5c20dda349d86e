package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.audit.AuditTerms;
import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.frame.FrameKind;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.frame.SummaryTier;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.job.SummaryJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.ContentSealer;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.FrameZero;
import dev.counterpoint.gateway.admission.JobRouting;
import dev.counterpoint.gateway.admission.JobSpans;
import dev.counterpoint.gateway.admission.PendingJob;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Replays;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.http.CurrentSpan;
import dev.counterpoint.gateway.log.follow.LiveGeneration;
import dev.counterpoint.gateway.log.follow.ReaderHandle;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.servicekit.LogField;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.InstantSource;
import java.util.EnumSet;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// [Generations] over the bus: turns a submission into frame 0 and a job ticket.
@ApplicationScoped
class BusGenerations implements Generations {
    private static final Logger LOG = LoggerFactory.getLogger(BusGenerations.class);

    private final LogConfig config;
    private final PartitionOwnership ownership;
    private final LogCommands commands;
    private final KeyRing keys;
    private final Admission admission;
    private final Replays replays;
    private final Quarantine quarantine;
    private final CurrentSpan current;
    private final InstantSource clock = InstantSource.system();

    BusGenerations(
            LogConfig config,
            PartitionOwnership ownership,
            LogCommands commands,
            KeyRing keys,
            Admission admission,
            Replays replays,
            Quarantine quarantine,
            CurrentSpan current) {
        this.config = config;
        this.ownership = ownership;
        this.commands = commands;
        this.keys = keys;
        this.admission = admission;
        this.replays = replays;
        this.quarantine = quarantine;
        this.current = current;
    }

    @Override
    public ResponseId newResponse(String tenant, String key) {
        var refused = quarantine.refusedFor(key, clock.millis());
        if (refused.isPositive()) {
            throw admission.refusalOfKey(refused);
        }
        if (!ownership.busAnswers()) {
            throw new BackendUnavailableException("the message bus does not answer");
        }
        int partition =
                ownership.partition().orElseThrow(() -> new BackendUnavailableException("this gateway is starting"));
        var id = ResponseId.create(clock.millis(), partition);
        admission.reserve(id, tenant);
        LogField.RESPONSE_ID.put(id.toString());
        return id;
    }

    @Override
    public void giveBack(ResponseId id) {
        admission.giveBack(id);
    }

    @Override
    public Generation start(ResponseId id, Submission submission) {
        var accepted = accepted(id, submission);
        var body = accepted.encode();
        if (body.length > Topic.MESSAGE_BYTES_MAX - 1024) {
            throw new TooLargeException();
        }
        var loop = ownership.loop().orElseThrow(() -> new BackendUnavailableException("this gateway is starting"));
        var handle = loop.expect(id);
        var span = current.of(id, accepted.model(), accepted.tenant());
        handle.traced(new JobSpans(span, clock.millis()));
        boolean entered = false;
        try {
            var accepting = commands.accept(
                    Frame.decision(id, 1, FrameKind.ACCEPTED, body).in(accepted.format()), span);
            var first = new FrameZero(accepting.frame());
            enter(job(submission, first, accepted, handle), first, accepting);
            entered = true;
        } catch (KafkaException e) {
            throw new BackendUnavailableException("the message bus does not take requests now");
        } finally {
            if (!entered) {
                // The loop may never see frame 0 and must not wait.
                loop.unexpect(id);
                admission.forget(id);
                withdraw(id, handle);
            }
        }
        boolean outlivesClient = submission.lifetime().outlivesClient();
        var generation = new LiveGeneration(id, handle, outlivesClient, replays, admission);
        return span.recorded() ? new TracedGeneration(generation, span) : generation;
    }

    @Override
    public void cancel(ResponseId id) {
        commands.endNow(id, OwnerEnd.Reason.CANCELLED);
    }

    @Override
    public void steer(ResponseId id, String tenant, long steer, byte[] input) {
        commands.steer(LogTrust.steer(Frame.sign(id, 1, steer, FrameKind.STEER), tenant, input, keys));
    }

    @Override
    public void stopAtSteer(ResponseId id) {
        commands.stopAtSteer(id);
    }

    @Override
    public void withdraw(ResponseId id) {
        commands.endNow(id, OwnerEnd.Reason.NOT_QUEUED);
    }

    /// With a free slot the ticket leaves beside frame 0; else the job waits. Only frame 0 is awaited: a ticket that
    /// gets lost is sent again.
    private void enter(PendingJob job, FrameZero first, LogCommands.Accepting accepting) {
        if (first.travels()) {
            admission.enterNow(job);
        }
        first.appended(accepting.await());
        admission.enterNow(job);
    }

    /// The caller is told that nothing runs, so the log must say the same, whatever of this got through.
    private void withdraw(ResponseId id, ReaderHandle handle) {
        try {
            commands.end(id, 1, OwnerEnd.Reason.NOT_QUEUED);
        } catch (KafkaException e) {
            LOG.warn("not withdrawn yet responseId={}", id);
        } finally {
            // When the loop sees frame 0, it ends the response where the above got lost, and forgets it then.
            handle.abandon();
            handle.settle();
        }
    }

    private static PendingJob job(Submission submission, FrameZero first, Accepted accepted, ReaderHandle handle) {
        var ticket = JobTicket.of(first.response(), JobTicket.NOT_YET, 1, accepted);
        long prefix = JobRouting.prefix(submission.job().prompt());
        return new PendingJob(
                ticket,
                new JobRouting(accepted.model(), accepted.band(), prefix, null),
                now -> first.complete(now, handle.quietUntil()),
                handle.spans());
    }

    private static byte[] summaryJob(ResponseId id, Submission submission, ContentSealer sealer) {
        if (submission.summary() == null) {
            return new byte[0];
        }
        var tier = submission.writtenSummary() ? SummaryTier.WRITTEN : SummaryTier.UNNAMED;
        var job = SummaryJob.of(submission.summary(), tier, submission.job());
        return sealer.sealFor(ServiceRole.SUMMARIZER, job.encode(), Accepted.summaryContext(submission.tenant(), id));
    }

    private static byte[] auditTerms(ResponseId id, Submission submission, ContentSealer sealer) {
        return submission.audit() == null
                ? new byte[0]
                : sealer.sealFor(
                        ServiceRole.AUDIT, submission.audit().encode(), AuditTerms.context(submission.tenant(), id));
    }

    private Accepted accepted(ResponseId id, Submission submission) {
        var rawReaders = EnumSet.noneOf(ServiceRole.class);
        if (submission.rawReasoning()) {
            rawReaders.add(ServiceRole.GATEWAY);
        }
        if (submission.audit() != null) {
            rawReaders.add(ServiceRole.AUDIT);
        }
        int format = ownership.frameFormat();
        var sealer = keys.sealer(format);
        return new Accepted(
                submission.tenant(),
                submission.key(),
                submission.model(),
                id.acceptedAtMillis(),
                id.acceptedAtMillis() + config.deadline().toMillis(),
                rawReaders,
                submission.lifetime() == Submission.Lifetime.BACKGROUND,
                submission.stored(),
                submission.band(),
                new Accepted.SealedParts(
                        sealer.sealFor(ServiceRole.GATEWAY, submission.echo(), Submission.echoContext(id)),
                        sealer.sealFor(
                                ServiceRole.WORKER,
                                submission.job().encode(),
                                Accepted.jobContext(submission.tenant(), id)),
                        summaryJob(id, submission, sealer),
                        auditTerms(id, submission, sealer)),
                ownership.incarnation(),
                format);
    }
}
