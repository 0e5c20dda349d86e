package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.fleet.Fleet;
import dev.counterpoint.gateway.generation.Generations;
import dev.counterpoint.gateway.generation.Submission;
import dev.counterpoint.gateway.problem.BackendUnavailableException;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;

/// Starts turns, whichever API asked: charges the caller, puts raw reasoning on the access log, writes the row, and
/// lets the model begin; all or nothing. Thread-safe.
@ApplicationScoped
public class TurnService {
    private static final long RETRY_AFTER_SECONDS = 5;
    private static final Duration CONVERSATION_BUSY = Duration.ofSeconds(2);

    private final Generations generations;
    private final UsageCharges charges;
    private final StoredResponses rows;
    private final RawAccessRecorder rawAccess;
    private final Fleet fleet;
    private final GatewayConfig config;

    TurnService(
            Generations generations,
            UsageCharges charges,
            StoredResponses rows,
            RawAccessRecorder rawAccess,
            Fleet fleet,
            GatewayConfig config) {
        this.generations = generations;
        this.charges = charges;
        this.rows = rows;
        this.rawAccess = rawAccess;
        this.fleet = fleet;
        this.config = config;
    }

    /// @param id of a response that has its place
    /// @throws ProblemException 429 when the caller's tokens are used up, 413 when the request is too large for one
    ///     message, 503 when the audit service lags, 400 while another response is made in its conversation
    public Generations.Generation start(ResponseId id, TurnRequest order) {
        boolean started = false;
        try {
            charges.admit(order.caller(), id, order.job());
            var submission = order.submission(id);
            requireAuditKeepsUp(submission);
            var generation = submit(id, order, submission);
            started = true;
            return generation;
        } finally {
            if (!started) {
                charges.giveBack(order.caller(), id);
            }
        }
    }

    private Generations.Generation submit(ResponseId id, TurnRequest order, Submission submission) {
        var recorded = submission.rawReasoning()
                ? rawAccess.first(id, submission.key(), submission.tenant())
                : RawAccessRecorder.Recording.NONE;
        var now = Instant.now();
        var row = order.row(id, now, now.plus(config.storedResponseRetention()));
        row.ifPresent(this::accept);
        boolean started = false;
        try {
            recorded.await();
            var generation = generations.start(id, submission);
            started = true;
            return generation;
        } catch (Generations.TooLargeException e) {
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        } finally {
            if (!started && row.isPresent()) {
                var failed = order.notQueued(id);
                rows.finish(
                        failed.id(),
                        failed.tenant(),
                        failed.status(),
                        failed.json().get());
            }
        }
    }

    private void accept(StoredResponses.NewRow row) {
        try {
            rows.accept(row);
        } catch (StoredResponses.ConversationBusyException e) {
            throw new ProblemException(Problem.conversationLocked(CONVERSATION_BUSY));
        }
    }

    private void requireAuditKeepsUp(Submission submission) {
        if (submission.audit() != null && fleet.lag(ServiceRole.AUDIT).compareTo(config.auditLagMax()) > 0) {
            throw new ProblemException(Problem.unavailable(
                    "The audit service is behind, so requests that are opted in are not taken.", RETRY_AFTER_SECONDS));
        }
    }
}
