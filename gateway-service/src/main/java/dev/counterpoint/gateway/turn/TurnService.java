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
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// Starts turns, whichever API asked: charges the caller, puts raw reasoning on the access log, writes the row, and
/// lets the model begin; all or nothing. Thread-safe.
@ApplicationScoped
public class TurnService {
    private static final long RETRY_AFTER_SECONDS = 5;
    private static final CompletableFuture<Void> WRITTEN = CompletableFuture.completedFuture(null);
    private static final Duration CONVERSATION_BUSY = Duration.ofSeconds(2);

    private final Generations generations;
    private final UsageCharges charges;
    private final StoredResponses rows;
    private final RawAccessRecorder shown;
    private final Fleet fleet;
    private final GatewayConfig config;

    @Inject
    TurnService(
            Generations generations,
            UsageCharges charges,
            StoredResponses rows,
            RawAccessRecorder shown,
            Fleet fleet,
            GatewayConfig config) {
        this.generations = generations;
        this.charges = charges;
        this.rows = rows;
        this.shown = shown;
        this.fleet = fleet;
        this.config = config;
    }

    /// @param id of a response that has its place
    /// @param named whether another request may ask for this response before this one has an answer: then its row
    ///     is there before anything runs
    /// @throws ProblemException 429 when the caller's tokens are used up, 413 when the request is too large for one
    ///     message, 503 when the audit service lags, 400 while another response is made in its conversation
    public Generations.Generation start(ResponseId id, TurnRequest order, boolean named) {
        boolean started = false;
        try {
            charges.admit(order.caller(), id, order.job());
            var submission = order.submission(id);
            requireAuditKeepsUp(submission);
            var generation = submit(id, order, submission, named);
            started = true;
            return generation;
        } finally {
            if (!started) {
                charges.giveBack(order.caller(), id);
            }
        }
    }

    private Generations.Generation submit(ResponseId id, TurnRequest order, Submission submission, boolean named) {
        var recorded = submission.rawReasoning()
                ? shown.first(id, submission.key(), submission.tenant())
                : RawAccessRecorder.Recording.NONE;
        var now = Instant.now();
        var row = order.row(id, now, now.plus(config.storedResponseRetention()));
        var writing = row.map(this::write).orElse(WRITTEN);
        boolean started = false;
        try {
            recorded.await();
            if (named || row.isPresent() && row.get().place() != null) {
                await(writing);
            }
            var generation = generations.start(id, submission);
            awaitOrEnd(writing, generation);
            started = true;
            return generation;
        } catch (Generations.TooLargeException e) {
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("the gateway is shutting down");
        } finally {
            if (!started && row.isPresent() && written(writing)) {
                var failed = order.notQueued(id);
                rows.finish(failed.id(), failed.tenant(), failed.status(), failed.json());
            }
        }
    }

    /// Writes the row on a thread of its own, because the bus can take the request meanwhile: nobody knows the
    /// response before both are safe.
    private CompletableFuture<Void> write(StoredResponses.NewRow row) {
        return CompletableFuture.runAsync(
                () -> rows.accept(row), Thread.ofVirtual().name("response-row")::start);
    }

    private static void await(CompletableFuture<Void> writing) {
        try {
            writing.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoredResponses.ConversationBusyException) {
                throw new ProblemException(Problem.conversationLocked(CONVERSATION_BUSY));
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// The caller is told that nothing runs, so nothing may run.
    private void awaitOrEnd(CompletableFuture<Void> writing, Generations.Generation generation) {
        boolean written = false;
        try {
            await(writing);
            written = true;
        } finally {
            if (!written) {
                generation.abandon();
                generation.settle();
                generations.cancel(generation.id());
            }
        }
    }

    private static boolean written(CompletableFuture<Void> writing) {
        return writing.handle((_, failure) -> failure == null).join();
    }

    private void requireAuditKeepsUp(Submission submission) {
        if (submission.audit() != null && fleet.lag(ServiceRole.AUDIT).compareTo(config.auditLagMax()) > 0) {
            throw new ProblemException(Problem.unavailable(
                    "The audit service is behind, so requests that are opted in are not taken.", RETRY_AFTER_SECONDS));
        }
    }
}
