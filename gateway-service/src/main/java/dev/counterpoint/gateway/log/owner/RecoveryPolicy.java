package dev.counterpoint.gateway.log.owner;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.frame.OwnerEnd;
import dev.counterpoint.bus.job.SuspectReport;
import dev.counterpoint.gateway.admission.Admission;
import dev.counterpoint.gateway.admission.PendingJob;
import dev.counterpoint.gateway.config.LogConfig;
import dev.counterpoint.gateway.fleet.FleetMembership;
import dev.counterpoint.gateway.log.follow.FollowedResponse;
import dev.counterpoint.gateway.log.follow.FollowedResponses;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When an owner steps in: a worker died, hangs or gave up; nobody took the job, or it crashes its workers;
/// nobody waits for the answer or can read it; the deadline passed; the answer waits for a summary that does
/// not come.
///
/// Silence is counted by the clock of the response's partition (`FollowedPartition`), never by this gateway's
/// alone. Two kinds of silence are told apart: a worker without beats is dead ([FleetMembership] says when), and
/// what it ran is reissued unless it still moves; a worker with beats whose response does not move has an engine
/// that hangs.
///
/// An attempt that lost its worker either way before its first token counts (`AttemptLosses`), and the second one
/// ends the response. So does the second attempt whose ticket lost two workers before a fence. After the first one
/// the responses concerned take turns ([SuspectTurns]). A response that lost its worker later, or was handed over, or
/// lost a frame, continues at once.
@Singleton
final class RecoveryPolicy implements FollowedResponses.OwnerRules {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryPolicy.class);
    /// Own beats within which a decision should have come back through the log.
    private static final int DECISION_PATIENCE_BEATS = 6;

    private final LogConfig config;
    private final FleetMembership fleet;
    private final LogCommands commands;
    private final Admission admission;
    private final OwnerTraces.Source traces;
    private final InstantSource clock;
    private final SuspectTurns suspects;

    @Inject
    RecoveryPolicy(
            LogConfig config, FleetMembership fleet, LogCommands commands, Admission admission, OwnerTraces traces) {
        this(config, fleet, commands, admission, traces::read, InstantSource.system());
    }

    RecoveryPolicy(
            LogConfig config,
            FleetMembership fleet,
            LogCommands commands,
            Admission admission,
            OwnerTraces.Source traces,
            InstantSource clock) {
        this.config = config;
        this.fleet = fleet;
        this.commands = commands;
        this.admission = admission;
        this.traces = traces;
        this.clock = clock;
        suspects = new SuspectTurns(config.beatInterval().multipliedBy(config.hungAfterBeats()));
    }

    /// Looks at one response at the beat `now`.
    @Override
    public void apply(FollowedResponse response, long now) {
        var reader = response.reader;
        if (response.awaitsDecision(now, DECISION_PATIENCE_BEATS)) {
            return;
        }
        close(response, now);
        if (response.trace().pending()) {
            orderTrace(response, now);
        } else if (summaryIsLate(response, now)) {
            LOG.info("summary abandoned responseId={}", response.id);
            response.decidedAt(now);
            commands.abandonSummary(response.id, reader.attempt());
        } else if (!reader.ended()) {
            applyWhileRunning(response, now);
        }
    }

    /// Has the audit service hear of the end of an opted-in response.
    private void close(FollowedResponse response, long now) {
        var closing = response.closing();
        if (closing != null) {
            closing.due(clock.millis()).ifPresent(due -> {
                response.decidedAt(now);
                commands.keepClosing(response, due, closing::keep);
            });
        }
    }

    /// The log is read again for the record, on another thread.
    private void orderTrace(FollowedResponse response, long now) {
        var trace = response.trace();
        if (!trace.beginReading()) {
            return;
        }
        response.decidedAt(now);
        traces.read(response, frames -> {
            trace.endReading();
            if (frames != null) {
                var record = trace.record(response.id, response.accepted, clock.millis(), frames);
                commands.keepTrace(record, trace::ordered);
            }
        });
    }

    /// Looks at one response on another owner's partition: all that is left to do there is to say that its reader has
    /// gone, which nobody else knows.
    @Override
    public void applyForReader(FollowedResponse response, long now) {
        boolean gone = response.handle.abandoned() && !response.reader.ended();
        if (gone && !response.awaitsDecision(now, DECISION_PATIENCE_BEATS)) {
            end(response, now, OwnerEnd.Reason.CANCELLED);
        }
    }

    private void applyWhileRunning(FollowedResponse response, long now) {
        var reader = response.reader;
        if (response.handle.abandoned() || orphaned(response)) {
            end(response, now, OwnerEnd.Reason.CANCELLED);
        } else if (reader.unreadable()) {
            // Its frames do not open with our keys, so it cannot go on for anybody.
            end(response, now, OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
        } else if (clock.millis() > response.accepted.deadlineMillis()) {
            end(response, now, OwnerEnd.Reason.EXPIRED);
        } else if (!reader.fenced()) {
            waitForWorker(response, now);
        } else if (reader.givenUp()) {
            reissue(response, now);
        } else {
            recover(response, now);
        }
    }

    private void recover(FollowedResponse response, long now) {
        var loss = loss(response, now);
        if (loss == null) {
            return;
        }
        boolean last = response.losses().lastCrash();
        if (response.losses().streaming()) {
            reissue(response, now);
        } else if (last || suspects.take(response, clock.millis())) {
            report(response, loss, last);
            endOrReissue(response, now, last);
        }
    }

    /// A worker may die of something else while a ticket waits for it. So nothing is reported about the key before
    /// the second such attempt.
    private void crashedBeforeFence(FollowedResponse response, long now) {
        boolean last = response.losses().lastUnfenced();
        if (last) {
            report(response, SuspectReport.Finding.NEVER_FENCED, true);
        }
        endOrReissue(response, now, last);
    }

    private void endOrReissue(FollowedResponse response, long now, boolean last) {
        if (last) {
            end(response, now, OwnerEnd.Reason.CRASHED_WORKER);
        } else {
            reissue(response, now);
        }
    }

    /// Reports may come twice, as commands do.
    private void report(FollowedResponse response, SuspectReport.Finding finding, boolean ended) {
        var accepted = response.accepted;
        commands.report(new SuspectReport(
                response.id,
                accepted.key(),
                accepted.tenant(),
                accepted.model(),
                response.reader.attempt(),
                clock.millis(),
                finding,
                ended,
                response.reader.fenced() ? response.reader.worker() : null));
    }

    /// True if the gateway died that held its client. A gateway is given as long as an engine, because no other can
    /// hold its clients.
    private boolean orphaned(FollowedResponse response) {
        var gateway = response.gateway();
        return gateway != null && fleet.silence(gateway) >= config.hungAfterBeats();
    }

    /// Without a summarizer there is nothing to wait for.
    private boolean summaryIsLate(FollowedResponse response, long now) {
        return response.awaitsSummary()
                && (response.beatsAwaitingSummary(now) >= config.summaryPatienceBeats()
                        || !fleet.lives(ServiceRole.SUMMARIZER));
    }

    /// Null while nothing is wrong with the worker that holds the response.
    private SuspectReport.@Nullable Finding loss(FollowedResponse response, long now) {
        var worker = response.reader.worker();
        if (worker == null) {
            return null;
        }
        long quiet = response.beatsSinceMoved(now);
        boolean dead = fleet.dead(worker) && quiet >= config.deadAfterBeats() - 1;
        boolean hangs = fleet.silence(worker) < config.deadAfterBeats() && quiet >= config.hungAfterBeats();
        if (dead) {
            return SuspectReport.Finding.WORKER_DIED;
        }
        return hangs ? SuspectReport.Finding.ENGINE_HUNG : null;
    }

    private void reissue(FollowedResponse response, long now) {
        int next = response.reader.attempt() + 1;
        if (next > config.attemptsMax()) {
            end(response, now, OwnerEnd.Reason.ATTEMPTS_EXHAUSTED);
            return;
        }
        LOG.info("reissued responseId={} attempt={} worker={}", response.id, next, response.reader.worker());
        response.decidedAt(now);
        commands.reissue(response.job(next));
    }

    /// A response that waits in this gateway is not forgotten. One that a gateway before us accepted waits here
    /// now: its ticket may be in an inbox already, but nobody knows, and one too many costs a read.
    private void waitForWorker(FollowedResponse response, long now) {
        int attempt = response.reader.attempt();
        var job = response.job(attempt);
        if (attempt == 1 && !admission.knows(response.id)) {
            admission.enter(job);
        }
        if (admission.keeps(response.id)) {
            response.waitFrom(now);
            return;
        }
        switch (admission.fate(response.id, attempt)) {
            case CRASHED_WORKERS -> crashedBeforeFence(response, now);
            case LOST -> requeue(response, job, now);
            case STANDS -> requeueIfForgotten(response, job, now);
        }
    }

    /// A ticket may have been lost with the process that was to send it. While all slots are busy it just waits.
    private void requeueIfForgotten(FollowedResponse response, PendingJob job, long now) {
        boolean waiting = response.beatsSinceMoved(now) < config.requeueAfterBeats();
        if (!waiting && hasFreeSlot(job.model())) {
            requeue(response, job, now);
        }
    }

    private void requeue(FollowedResponse response, PendingJob job, long now) {
        LOG.info("queued again responseId={} attempt={}", response.id, response.reader.attempt());
        response.waitFrom(now);
        response.resent();
        commands.requeue(job);
    }

    private boolean hasFreeSlot(String model) {
        return fleet.model(model).filter(served -> served.freeSlots() > 0).isPresent();
    }

    private void end(FollowedResponse response, long now, OwnerEnd.Reason reason) {
        response.decidedAt(now);
        admission.ended(response.id);
        commands.end(response.id, response.reader.attempt(), reason);
    }
}
