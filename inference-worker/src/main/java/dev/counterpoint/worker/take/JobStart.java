package dev.counterpoint.worker.take;

import dev.counterpoint.bus.frame.Accepted;
import dev.counterpoint.bus.frame.End;
import dev.counterpoint.bus.frame.Frame;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.job.JobTicket;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.LogTrust;
import dev.counterpoint.bus.seal.RefusalListener.Reason;
import dev.counterpoint.bus.seal.SealException;
import dev.counterpoint.bus.wire.MalformedMessageException;
import dev.counterpoint.worker.attempt.Attempt;
import dev.counterpoint.worker.attempt.AttemptContext;
import dev.counterpoint.worker.attempt.AttemptSpans;
import dev.counterpoint.worker.attempt.InFlightJobs;
import dev.counterpoint.worker.attempt.ResumeState;
import dev.counterpoint.worker.attempt.TraceRecordHeader;
import dev.counterpoint.worker.attempt.WorkerContext;
import dev.counterpoint.worker.attempt.WorkerMetrics.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One job on its way from its ticket to its attempt, whose fence is sent already. One thread.
final class JobStart {
    private static final Logger LOG = LoggerFactory.getLogger(JobStart.class);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final AttemptStarter starter;
    private final WorkerContext worker;
    private final InFlightJobs.Claim claim;
    private final Frame fence;
    private final AttemptContext context;
    private final JobTicket ticket;
    /// Frame 0, once it is known and verified.
    private @Nullable Frame first;

    private @Nullable LogTrust trust;
    private boolean judged;
    private boolean started;

    /// @param fence this attempt's own
    JobStart(AttemptStarter starter, InFlightJobs.Claim claim, Frame fence, AttemptContext context) {
        this.starter = starter;
        this.worker = starter.worker();
        this.claim = claim;
        this.fence = fence;
        this.context = context;
        ticket = context.ticket();
    }

    JobTicket ticket() {
        return ticket;
    }

    /// Starts the attempt before reading its fence: readers void its frames if the fence lost. Only for a first
    /// attempt whose ticket no other worker got. A job that cannot be read ends once the fence has won.
    void early() throws InterruptedException {
        try {
            var found = starter.log().first(ticket);
            if (found.isPresent() && trust(found.get()) != null) {
                first = found.get();
                var accepted = Accepted.decode(first.body());
                if (ticket.agreesWith(accepted)) {
                    start(accepted, job(accepted), List.of());
                }
            }
        } catch (KafkaException | SealException | MalformedMessageException e) {
            LOG.debug("not started before its fence responseId={}", ticket.response());
        }
    }

    /// Decides by the log whether this worker has the response, and starts the attempt if it did not start early.
    ///
    /// @param offset of the fence
    Outcome fenced(long offset) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return switch (starter.log().find(ticket, first, offset, claim::stopped)) {
                case LogSearch.Found.Log(var frames) -> decide(frames);
                case LogSearch.Found.AcceptedLater(long accepted) ->
                    claim.stopped() ? Outcome.NOT_NEEDED : again(ticket.again(accepted), Duration.ZERO);
                case LogSearch.Found.NotAccepted() -> {
                    LOG.warn("no frame 0 came, so nothing runs responseId={}", ticket.response());
                    yield Outcome.NOT_NEEDED;
                }
            };
        } catch (KafkaException | SealException e) {
            // The fence is in the log: until this worker gives up, no other worker can have the response.
            LOG.warn(
                    "log cannot be read responseId={} cause={}",
                    ticket.response(),
                    e.getClass().getSimpleName());
            giveUp();
            return Outcome.HANDED_OVER;
        }
    }

    /// The fence may have been lost on its way, or not.
    Outcome unfenced() throws InterruptedException, ExecutionException, TimeoutException {
        context.publisher().handoverUnstarted();
        return again(ticket, RETRY);
    }

    private Outcome decide(List<Frame> frames) throws InterruptedException {
        var log = frames.isEmpty() ? null : trust(frames.getFirst());
        if (log == null) {
            return Outcome.NOT_NEEDED;
        }
        log.trust(fence);
        var resume = new ResumeState(ticket, log);
        frames.forEach(resume::accept);
        if (!resume.wonBy(fence.nonce())) {
            return Outcome.NOT_NEEDED;
        }
        var accepted = Accepted.decode(frames.getFirst().body());
        if (!ticket.agreesWith(accepted)) {
            // Both are signed, so a gateway made the mistake; a job does not run if the log contradicts its ticket.
            worker.keys().signatures().refused(Topic.inboxName(accepted.model()), Reason.CONTENT);
            giveUp();
            return Outcome.FORGED;
        }
        context.publisher().fenced(true);
        if (resume.steered()) {
            claim.steer();
        }
        return started ? Outcome.RUN : start(accepted, resume.said());
    }

    /// Begins the same attempt anew, by the log: the fence is void.
    private Outcome again(JobTicket next, Duration pause)
            throws InterruptedException, ExecutionException, TimeoutException {
        var permit = context.permit().next();
        boolean runs = false;
        try {
            withdraw();
            if (!started) {
                context.permit().close();
                context.taken().spans().close();
            }
            Thread.sleep(pause);
            var outcome = starter.start(next, false, permit, AttemptContext.Taken.now(AttemptSpans.NONE));
            runs = outcome == Outcome.RUN;
            return outcome;
        } finally {
            if (!runs) {
                permit.close();
            }
        }
    }

    private Outcome start(Accepted accepted, List<ResumeState.Said> said) throws InterruptedException {
        try {
            start(accepted, job(accepted), said);
            return Outcome.RUN;
        } catch (MalformedMessageException | SealException e) {
            // This worker holds the response, and no other would read the job any better.
            LOG.error("job cannot be read responseId={}", ticket.response());
            endUnread(TraceRecordHeader.of(ticket.response(), accepted));
            return Outcome.UNREADABLE;
        }
    }

    private void start(Accepted accepted, GenerationJob job, List<ResumeState.Said> said) {
        var audit = TraceRecordHeader.of(ticket.response(), accepted);
        claim.start(new Attempt(context.inBand(accepted.band()), job, audit, said, worker));
        started = true;
        if (ticket.attempt() == 1) {
            worker.metrics().waited(accepted.band(), context.waitedMillis());
        }
    }

    private GenerationJob job(Accepted accepted) {
        var sealedTo = Accepted.jobContext(ticket.tenant(), ticket.response());
        return GenerationJob.decode(worker.keys().open(accepted.sealed().job(), sealedTo));
    }

    private void endUnread(@Nullable TraceRecordHeader audit) throws InterruptedException {
        var publisher = context.publisher();
        var end = new End(End.Finish.INVALID_PROMPT, 0, 0, 0, 0, System.currentTimeMillis());
        var spans = context.taken().spans();
        boolean traced = audit == null || publisher.trace(audit.record(end, List.of(), worker.keys()), spans);
        if (!traced || !publisher.end(end, spans)) {
            publisher.handover();
        }
    }

    /// Frame 0 is judged once, for a refusal is counted.
    private @Nullable LogTrust trust(Frame accepted) {
        if (!judged) {
            judged = true;
            trust = LogTrust.of(accepted, worker.keys());
        }
        return trust;
    }

    private void giveUp() throws InterruptedException {
        withdraw();
        context.publisher().handoverUnstarted();
    }

    /// Ends the attempt unheard, if there is one.
    void withdraw() throws InterruptedException {
        claim.stop();
        context.publisher().fenced(false);
        claim.awaitEnd();
    }
}
