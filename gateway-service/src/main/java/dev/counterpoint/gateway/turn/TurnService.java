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
import dev.counterpoint.gateway.store.ResponseBeginnings;
import dev.counterpoint.gateway.store.ResponseBeginnings.Beginning;
import dev.counterpoint.gateway.store.ResponseBeginnings.Begun;
import dev.counterpoint.gateway.store.ResponseBeginnings.Outcome;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.tenancy.Quotas;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Starts turns, whichever API asked: charges the caller, writes the row, puts raw reasoning on the access log, and
/// lets the model begin; all or nothing. Charge and row are one call to the database, which ends before frame 0 is
/// appended. Thread-safe.
@ApplicationScoped
public class TurnService {
    private static final long RETRY_AFTER_SECONDS = 5;
    private static final Duration CONVERSATION_BUSY = Duration.ofSeconds(2);

    private final Generations generations;
    private final UsageCharges charges;
    private final Quotas quotas;
    private final ResponseBeginnings beginnings;
    private final StoredResponses rows;
    private final AccessRecorder rawAccess;
    private final Fleet fleet;
    private final GatewayConfig config;

    TurnService(
            Generations generations,
            UsageCharges charges,
            Quotas quotas,
            ResponseBeginnings beginnings,
            StoredResponses rows,
            AccessRecorder rawAccess,
            Fleet fleet,
            GatewayConfig config) {
        this.generations = generations;
        this.charges = charges;
        this.quotas = quotas;
        this.beginnings = beginnings;
        this.rows = rows;
        this.rawAccess = rawAccess;
        this.fleet = fleet;
        this.config = config;
    }

    /// @param id of a response that has its place
    /// @param claim of the idempotency key that is to stand for it; null without one
    /// @return empty when the key stands for another response
    /// @throws ProblemException 429 when the caller's tokens are used up, 413 when the request is too large for one
    ///     message, 503 when the audit service lags, 400 while another response is made in its conversation
    public Optional<Generations.Generation> start(
            ResponseId id, TurnRequest order, ResponseBeginnings.@Nullable Claim claim) {
        var submission = order.submission(id);
        requireAuditKeepsUp(submission);
        var now = Instant.now();
        var row = order.row(id, now, now.plus(config.storedResponseRetention()));
        var caller = order.caller();
        var kept = charges.kept(caller, order.job());
        var asked = new Beginning(caller.owner(), caller.key(), id, kept, claim, row.orElse(null));
        Begun begun = null;
        boolean over = false;
        try {
            begun = beginnings.begin(asked);
            if (!isBegun(asked, begun)) {
                over = true;
                return Optional.empty();
            }
            var generation = submit(id, submission);
            over = true;
            return Optional.of(generation);
        } finally {
            if (!over) {
                undo(asked, order, begun);
            }
        }
    }

    /// @return false when another response has the key
    private boolean isBegun(Beginning asked, Begun begun) {
        quotas.requireRoom(asked, begun);
        return switch (begun.outcome()) {
            case BEGUN -> true;
            case TAKEN -> false;
            case BUSY -> throw new ProblemException(Problem.conversationLocked(CONVERSATION_BUSY));
            case REFUSED -> throw new IllegalStateException("a limit refuses, and none is used up");
        };
    }

    private Generations.Generation submit(ResponseId id, Submission submission) {
        try {
            if (submission.rawReasoning()) {
                rawAccess.first(id, submission.key(), submission.tenant()).await();
            }
            return generations.start(id, submission);
        } catch (Generations.TooLargeException e) {
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        }
    }

    /// Gives back what the database keeps for a response that does not run.
    ///
    /// @param begun null where nobody knows what is kept
    private void undo(Beginning asked, TurnRequest order, @Nullable Begun begun) {
        if (begun == null || begun.outcome() != Outcome.REFUSED) {
            charges.giveBack(order.caller(), asked.response());
        }
        if (begun != null && begun.outcome() == Outcome.BEGUN && asked.row() != null) {
            var failed = order.notQueued(asked.response());
            rows.finish(
                    failed.id(), failed.tenant(), failed.status(), failed.json().get());
        }
    }

    private void requireAuditKeepsUp(Submission submission) {
        if (submission.audit() != null && fleet.lag(ServiceRole.AUDIT).compareTo(config.auditLagMax()) > 0) {
            throw new ProblemException(Problem.unavailable(
                    "The audit service is behind, so requests that are opted in are not taken.", RETRY_AFTER_SECONDS));
        }
    }
}
