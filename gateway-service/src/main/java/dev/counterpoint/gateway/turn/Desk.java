package dev.counterpoint.gateway.turn;

import dev.counterpoint.bus.ResponseId;
import dev.counterpoint.bus.Role;
import dev.counterpoint.bus.job.GenerationJob;
import dev.counterpoint.bus.kafka.Topic;
import dev.counterpoint.bus.seal.KeyRing;
import dev.counterpoint.gateway.GatewayConfig;
import dev.counterpoint.gateway.models.Fleet;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.store.StoredResponses;
import dev.counterpoint.gateway.stream.Generations;
import dev.counterpoint.gateway.stream.LogBacked;
import dev.counterpoint.gateway.stream.Replays;
import dev.counterpoint.gateway.stream.Submission;
import dev.counterpoint.prompt.PromptRenderer;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/// Where both APIs hand in their requests. Thread-safe.
@ApplicationScoped
public class Desk {
    private static final long RETRY_AFTER_SECONDS = 5;
    private static final Duration CONVERSATION_BUSY = Duration.ofSeconds(2);

    private final Generations generations;
    private final Replays replays;
    private final Fleet fleet;
    private final StoredResponses rows;
    private final KeyRing keys;
    private final RawShown shown;
    private final GatewayConfig config;
    private final InstantSource clock = InstantSource.system();

    @Inject
    Desk(
            Generations generations,
            Replays replays,
            Fleet fleet,
            StoredResponses rows,
            KeyRing keys,
            RawShown shown,
            GatewayConfig config) {
        this.generations = generations;
        this.replays = replays;
        this.fleet = fleet;
        this.rows = rows;
        this.keys = keys;
        this.shown = shown;
        this.config = config;
    }

    public Fleet fleet() {
        return fleet;
    }

    public StoredResponses rows() {
        return rows;
    }

    public GatewayConfig config() {
        return config;
    }

    public InstantSource clock() {
        return clock;
    }

    /// Today in UTC, as the model is told it.
    public String date() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString();
    }

    /// Checks the sealed reasoning that comes back to a request.
    public SealCheck seals(GenerationJob.ReasoningTerms terms) {
        return SealCheck.of(keys, clock, terms);
    }

    /// How many tokens the model would be asked with.
    public int promptTokens(GenerationJob job) {
        return new PromptRenderer(keys).count(job, clock.millis());
    }

    /// Names a response and keeps a place for it, for [#start] or [#giveBack].
    ///
    /// @throws Generations.UnavailableException when nothing can run now
    /// @throws ProblemException 503 or 429 when this gateway, or the tenant, has too much under way
    public ResponseId newResponse(String tenant) {
        return generations.newResponse(tenant);
    }

    /// Gives the place of a response back that was not started. No effect on one that was.
    public void giveBack(ResponseId id) {
        generations.giveBack(id);
    }

    /// Writes the row, if there is to be one, and lets the model begin. Who gets raw reasoning is on the access log by
    /// then.
    ///
    /// @param failed what the row says when the bus does not take the request
    /// @throws ProblemException 413 when the request does not fit into one message, 503 when the audit service
    ///     lags, 400 while another response is made in its conversation
    public Generations.Generation start(
            ResponseId id, Submission submission, Optional<StoredResponses.NewRow> row, TurnRows.Last failed) {
        requireAuditKeepsUp(submission);
        var recorded = submission.rawReasoning()
                ? shown.first(id, submission.key(), submission.tenant())
                : RawShown.Recording.NONE;
        row.ifPresent(this::accept);
        boolean started = false;
        try {
            recorded.await();
            var generation = generations.start(id, submission);
            started = true;
            return new LogBacked(generation, replays);
        } catch (Generations.TooLargeException e) {
            throw new ProblemException(Problem.tooLarge(Topic.MESSAGE_BYTES_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Generations.UnavailableException("the gateway is shutting down");
        } finally {
            if (!started && row.isPresent()) {
                rows.finish(failed.id(), failed.tenant(), failed.status(), failed.json());
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
        if (submission.audit() != null && fleet.lag(Role.AUDIT).compareTo(config.auditLagMax()) > 0) {
            throw new ProblemException(Problem.unavailable(
                    "The audit service is behind, so requests that are opted in are not taken.", RETRY_AFTER_SECONDS));
        }
    }
}
